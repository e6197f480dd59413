import { OfflineIcon } from "@blueprintjs/icons";
import { useWhenOnline } from "../ui/network/useWhenOnline.ts";
import { Notice } from "../ui/notice/Notice.tsx";

/** Shown instead of actions that this device does not have. They are loaded when the network is back. */
export function ActionsNeedNetworkNote({ onRetry }: { onRetry: () => void }) {
  useWhenOnline(onRetry);
  return (
    <Notice heading="Actions need the network" icon={<OfflineIcon />} role="status">
      <p>They are not kept on this device. What is agreed at a new visit is entered with the visit.</p>
    </Notice>
  );
}
