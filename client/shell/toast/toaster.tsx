import type { ActionProps, Intent, OverlayToaster } from "@blueprintjs/core";
import { ErrorIcon, InfoSignIcon, TickCircleIcon, WarningSignIcon } from "@blueprintjs/icons";
import type { ReactElement } from "react";
import { flushSync } from "react-dom";
import { unreachableWords } from "../../ui/network/reach.ts";

const timeoutMs = 10_000;

let take: (toaster: OverlayToaster) => void;
/** Messages are shown before the first screen too: they wait for the toaster. */
const mounted = new Promise<OverlayToaster>((resolve) => (take = resolve));

/** The ref of the toaster (Toasts.tsx). */
export const toasterRef = (toaster: OverlayToaster | null): void => {
  if (toaster) take(toaster);
};

/** Acts at once, so that the second of two equal messages finds the first. */
const act = (change: (toaster: OverlayToaster) => void): void =>
  void mounted.then((toaster) => flushSync(() => change(toaster)));

/** A link that leads to what a message is about. */
type Way = Pick<ActionProps, "text"> & { href: string };

let shown = 0;

/** A repeated message is shown once. Another timeout makes its time start again, and another key the bar. */
function notify(message: string, intent: Intent, icon: ReactElement, action?: Way): void {
  shown += 1;
  const text = (
    <span className="notification-text" key={shown}>
      {message}
    </span>
  );
  const timeout = timeoutMs + (shown % 2);
  act((toaster) => toaster.show({ message: text, intent, icon, timeout, action, className: "notification" }, message));
}

/** Shows a piece of information. */
export const showMessage = (message: string): void => notify(message, "none", <InfoSignIcon />);

/** Shows a success. */
export const showSuccess = (message: string, way?: Way): void => notify(message, "success", <TickCircleIcon />, way);

/** Shows a warning. */
export const showWarning = (message: string): void => notify(message, "warning", <WarningSignIcon />);

/** Shows a failure. */
export const showError = (message: string): void => notify(message, "danger", <ErrorIcon />);

/** Removes a notification that is no longer true. */
export const withdrawMessage = (message: string): void => act((toaster) => toaster.dismiss(message));

/** Removes all notifications, because the person they were for has signed out. */
export const withdrawMessages = (): void => act((toaster) => toaster.clear());

// The network is back.
globalThis.addEventListener("online", () => withdrawMessage(unreachableWords));
