import { OverlayToaster } from "@blueprintjs/core";
import { useEffect, useLayoutEffect, useRef } from "react";
import { follow, takeRoom } from "./toastRoom.ts";
import { toasterRef } from "./toaster.tsx";
import "./toaster.css";

/**
 * Notifications, at the top right. The screen makes room for them (toastRoom.ts), which needs an element that can be
 * measured.
 */
export function Toasts() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(follow, []);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => takeRoom(Math.ceil(entry!.contentRect.height)));
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div className="notifications screen-only" ref={place}>
      <OverlayToaster maxToasts={5} position="top-right" ref={toasterRef} usePortal={false} />
    </div>
  );
}
