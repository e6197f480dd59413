import { useEffect, useState, useSyncExternalStore } from "react";
import { unreachableMessage } from "../../ui/network/fetchedPart.ts";
import { whenIdle } from "../../ui/network/idle.ts";
import { takeRoom, takeUsualRoom } from "./toastRoom.ts";

/** Our own colours instead of Blueprint's intents, which are too loud. */
type Tone = "info" | "success" | "warning" | "danger";
/** What is said, and how often it was, while it stands there. */
export type Notification = { key: string; message: string; tone: Tone; times: number };

const most = 5;

let notifications: readonly Notification[] = [];
const listeners = new Set<() => void>();
/** Whether the place where they appear is there, which makes room for them itself. */
let hasPlace = false;
let fetchPlace = async () => {};

function become(next: readonly Notification[]): void {
  if (next.length === 0 && notifications.length === 0) return;
  notifications = next;
  for (const listener of listeners) listener();
  if (hasPlace) return;
  if (next.length > 0) takeUsualRoom();
  else takeRoom(0);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The notifications that stand there, the newest last. */
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
  void fetchPlace();
}

/** Tells something of interest. */
export const showMessage = (message: string): void => notify(message, "info");

/** Tells that something worked. */
export const showSuccess = (message: string): void => notify(message, "success");

/** Tells of something to look at. */
export const showWarning = (message: string): void => notify(message, "warning");

/** Tells that something did not work. */
export const showError = (message: string): void => notify(message, "danger");

/** Ends one notification. */
export const dismiss = (key: string): void => become(notifications.filter((one) => one.key !== key));

/** Takes a notification back that is no longer true. */
export const withdrawMessage = (message: string): void => become(notifications.filter((one) => one.message !== message));

/** Takes all notifications back: they were for somebody who has left. */
export const withdrawMessages = (): void => become([]);

// The network is back.
globalThis.addEventListener("online", () => withdrawMessage(unreachableMessage));

type ToastsFile = typeof import("./Toasts.tsx");

/**
 * The place where notifications appear. It is fetched after the screen, and before anything else is to be said, so that a lost
 * network can still be told of; where it could not be fetched, it is tried again when something waits to be said.
 */
export function Toaster() {
  const [file, setFile] = useState<ToastsFile>();
  useEffect(() => {
    let isUnderWay = false;
    fetchPlace = async () => {
      if (isUnderWay) return;
      isUnderWay = true;
      const take = (fetched: ToastsFile) => {
        hasPlace = true;
        setFile(fetched);
      };
      await import("./Toasts.tsx").then(take, () => {
        isUnderWay = false;
      });
    };
    return whenIdle(fetchPlace);
  }, []);
  return file ? <file.Toasts /> : null;
}
