import { OfflineIcon } from "@blueprintjs/icons";
import { useWhenOnline } from "../ui/network/useWhenOnline.ts";
import { Notice } from "../ui/notice/Notice.tsx";

/** Shown instead of past assessments that this device does not have. They are loaded when the network is back. */
export function NeedsNetworkNote({ onRetry }: { onRetry: () => void }) {
  useWhenOnline(onRetry);
  return (
    <Notice heading="Past assessments need the network" icon={<OfflineIcon />} role="status">
      <p>
        They are not kept on this device. A new assessment can be begun without them; they are shown here as soon as the
        network is back.
      </p>
    </Notice>
  );
}
