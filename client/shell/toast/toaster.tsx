import { useSyncExternalStore } from "react";
import { unreachableMessage } from "../../ui/network/fetchedPart.ts";

/** Our own colours instead of Blueprint's intents, which are too loud. */
type Tone = "info" | "success" | "warning" | "danger";
/** A notification's text, and how often it was repeated while it is shown. */
export type Notification = { key: string; message: string; tone: Tone; times: number };

const most = 5;

let notifications: readonly Notification[] = [];
const listeners = new Set<() => void>();

function become(next: readonly Notification[]): void {
  if (next.length === 0 && notifications.length === 0) return;
  notifications = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The notifications on the screen, the newest last. */
export const useNotifications = (): readonly Notification[] => useSyncExternalStore(subscribe, () => notifications);

/** A repeated message is shown once, and its ten seconds start again. */
function notify(message: string, tone: Tone): void {
  const key = `${tone}: ${message}`;
  const isThere = notifications.some((one) => one.key === key);
  become(
    isThere
      ? notifications.map((one) => (one.key === key ? { ...one, times: one.times + 1 } : one))
      : [...notifications, { key, message, tone, times: 1 }].slice(-most),
  );
}

/** Shows a piece of information. */
export const showMessage = (message: string): void => notify(message, "info");

/** Shows a success. */
export const showSuccess = (message: string): void => notify(message, "success");

/** Shows a warning. */
export const showWarning = (message: string): void => notify(message, "warning");

/** Shows a failure. */
export const showError = (message: string): void => notify(message, "danger");

/** Ends one notification. */
export const dismiss = (key: string): void => become(notifications.filter((one) => one.key !== key));

/** Removes a notification that is no longer true. */
export const withdrawMessage = (message: string): void => become(notifications.filter((one) => one.message !== message));

/** Removes all notifications, because the person they were for has signed out. */
export const withdrawMessages = (): void => become([]);

// The network is back.
globalThis.addEventListener("online", () => withdrawMessage(unreachableMessage));
