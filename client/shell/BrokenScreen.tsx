import { Button } from "@blueprintjs/core";
import { ErrorIcon, RefreshIcon } from "@blueprintjs/icons";
import { Notice } from "../ui/notice/Notice.tsx";

/** Stands in for a screen that failed to load or to render. */
export function BrokenScreen() {
  return (
    <Notice heading="This screen does not work right now" icon={<ErrorIcon size={20} />} role="alert" tone="bad">
      <p>A new version may have been installed, or the connection was lost. Reloading usually helps.</p>
      <Button icon={<RefreshIcon />} onClick={() => location.reload()} text="Reload" />
    </Notice>
  );
}
