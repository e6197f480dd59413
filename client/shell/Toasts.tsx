import { OverlayToaster, Position } from "@blueprintjs/core";
import "./toaster.css";

/** Notifications: top right, ten seconds each, with a bar of the time that is left. */
export function Toasts({ attach }: { attach: (instance: OverlayToaster | null) => void }) {
  return <OverlayToaster ref={attach} className="notifications" position={Position.TOP_RIGHT} maxToasts={5} />;
}
