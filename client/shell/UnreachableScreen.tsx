import { Button } from "@blueprintjs/core";
import { OfflineIcon, RefreshIcon } from "@blueprintjs/icons";
import { useLocation, useNavigate } from "react-router-dom";
import { useWhenOnline } from "../ui/network/useWhenOnline.ts";
import { Notice } from "../ui/notice/Notice.tsx";

/** Shown in place of a screen whose file could not be fetched. It opens the screen when the network is back. */
export function UnreachableScreen() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const open = () => navigate({ pathname, search }, { replace: true });
  useWhenOnline(open);
  return (
    <Notice heading="There is no connection" icon={<OfflineIcon size={20} />} role="status">
      <p>This screen is not kept on this device. It opens as soon as the network is back; nothing that you saved is lost.</p>
      <Button icon={<RefreshIcon />} onClick={open} text="Try again" />
    </Notice>
  );
}
