import { Button, ButtonVariant } from "@blueprintjs/core";
import { CrossIcon, ErrorIcon, InfoSignIcon, TickCircleIcon, WarningSignIcon } from "@blueprintjs/icons";
import { useEffect, useRef } from "react";
import { takeRoom } from "./toastRoom.ts";
import { dismiss, useNotifications } from "./toaster.tsx";
import type { Notification } from "./toaster.tsx";
import "./toaster.css";

const timeoutMs = 10_000;
const icons = { info: InfoSignIcon, success: TickCircleIcon, warning: WarningSignIcon, danger: ErrorIcon };

/** One notification. It stays while the pointer or the focus is on it. After that its ten seconds start again. */
function Toast({ notification }: { notification: Notification }) {
  const { key, message, tone } = notification;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    const end = () => dismiss(key);
    let timer = setTimeout(end, timeoutMs);
    const hold = () => clearTimeout(timer);
    const letGo = () => {
      hold();
      timer = setTimeout(end, timeoutMs);
    };
    for (const event of ["mouseenter", "focusin"]) element.addEventListener(event, hold);
    for (const event of ["mouseleave", "focusout"]) element.addEventListener(event, letGo);
    element.addEventListener("keydown", (event) => (event.key === "Escape" ? end() : undefined));
    return hold;
  }, [key]);
  const Icon = icons[tone];
  return (
    <div className={`notification notification-${tone}`} ref={place}>
      <Icon className="notification-icon" />
      <span className="notification-message" role="alert">
        {message}
      </span>
      <Button aria-label="Close" icon={<CrossIcon />} onClick={() => dismiss(key)} variant={ButtonVariant.MINIMAL} />
    </div>
  );
}

/** Notifications: top right, ten seconds each, with a bar for the remaining time. The screen makes room for them (toastRoom.ts). */
export function Toasts() {
  const notifications = useNotifications();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => takeRoom(Math.ceil(entry!.contentRect.height)));
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div className="notifications" ref={list}>
      {notifications.map((notification) => (
        <Toast key={`${notification.key} ${notification.times}`} notification={notification} />
      ))}
    </div>
  );
}
