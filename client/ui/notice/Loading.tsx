import { Spinner, SpinnerSize } from "@blueprintjs/core";
import "./states.css";

/** Says that something is loading. It appears only when the wait becomes noticeable. */
export function Loading({ label = "Loading" }: { label?: string }) {
  return (
    <div className="state state-loading row soft" role="status">
      <Spinner size={SpinnerSize.SMALL} aria-hidden="true" />
      <span>{label}…</span>
    </div>
  );
}
