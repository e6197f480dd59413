import type { OverlayToaster } from "@blueprintjs/core";
import { ErrorIcon, InfoSignIcon, TickCircleIcon, WarningSignIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import type { ReactElement } from "react";
import { whenIdle } from "../ui/idle.ts";

const timeoutMs = 10_000;

/** Our own tones and not Blueprint's intents, whose colours shout. */
type Tone = "info" | "success" | "warning" | "danger";
type Notification = { message: string; tone: Tone; icon: ReactElement };

const keyOf = ({ message, tone }: Pick<Notification, "message" | "tone">) => `${tone}: ${message}`;

let toaster: OverlayToaster | null = null;
let waiting: Notification[] = [];
let fetchPlace = async () => {};
/** What was said an odd number of times. */
const saidOdd = new Set<string>();

/** What is said again stands once, and its ten seconds begin anew: Blueprint does so only where the time is another one. */
function present({ message, tone, icon }: Notification): void {
  const key = keyOf({ message, tone });
  const isOdd = !saidOdd.delete(key);
  if (isOdd) saidOdd.add(key);
  toaster?.show(
    {
      message,
      icon,
      timeout: isOdd ? timeoutMs : timeoutMs + 1,
      className: `notification notification-${tone} ${isOdd ? "is-odd" : "is-even"}`,
      isCloseButtonShown: true,
    },
    key,
  );
}

function notify(notification: Notification): void {
  if (toaster) return present(notification);
  waiting.push(notification);
  void fetchPlace();
}

/** Tells something of interest. */
export function showMessage(message: string): void {
  notify({ message, tone: "info", icon: <InfoSignIcon /> });
}

/** Tells that something worked. */
export function showSuccess(message: string): void {
  notify({ message, tone: "success", icon: <TickCircleIcon /> });
}

/** Tells of something to look at. */
export function showWarning(message: string): void {
  notify({ message, tone: "warning", icon: <WarningSignIcon /> });
}

/** Tells that something did not work. */
export function showError(message: string): void {
  notify({ message, tone: "danger", icon: <ErrorIcon /> });
}

/** Takes a notification back that is no longer true. */
export function withdrawMessage(message: string): void {
  waiting = waiting.filter((one) => one.message !== message);
  toaster?.dismiss(keyOf({ message, tone: "info" }));
}

/** Takes all notifications back: they were for somebody who has left. */
export function withdrawMessages(): void {
  waiting = [];
  toaster?.clear();
}

function attach(instance: OverlayToaster | null): void {
  toaster = instance;
  if (!instance) return;
  const due = waiting;
  waiting = [];
  due.forEach(present);
}

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
      await import("./Toasts.tsx").then(setFile, () => {
        isUnderWay = false;
      });
    };
    return whenIdle(fetchPlace);
  }, []);
  return file ? <file.Toasts attach={attach} /> : null;
}
