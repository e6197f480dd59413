import { useEffect, useState, useSyncExternalStore } from "react";
import { may } from "../../../gateway/access/access.rules.ts";
import type { Capability } from "../../../gateway/access/access.rules.ts";
import { now } from "../clock/clock.ts";
import { currentSession, subscribeToSession } from "./session.ts";
import type { Session, System, Viewer } from "./session.ts";

/** How the session stands. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, currentSession);
}

/** The signed-in person; only for screens, which exist only when somebody is signed in. */
export function useViewer(): Viewer {
  const session = useSession();
  if (session.state !== "signedIn") throw new Error("Nobody is signed in.");
  return session.viewer;
}

/** Whether the signed-in person may do this: for showing and hiding; the server enforces it. */
export function useMay(capability: Capability): boolean {
  const session = useSession();
  return session.state === "signedIn" && may(session.viewer.privileges, capability);
}

/**
 * The ministry's today, YYYY-MM-DD. A screen that is open past midnight, or without network since yesterday, uses the device's time; the
 * server decides. The calendar is created when the person begins to do something, because a browser needs longer for its first one than for
 * rendering a form.
 */
export function useToday(): string {
  const { today, timeZone } = useSystem();
  const [calendar, setCalendar] = useState<Intl.DateTimeFormat>();
  useEffect(() => {
    const make = () => setCalendar(new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }));
    document.addEventListener("focusin", make, { once: true });
    return () => document.removeEventListener("focusin", make);
  }, [timeZone]);
  const here = calendar?.format(now()) ?? today;
  return here > today ? here : today;
}

/** What the server says about itself: versions, the ministry's time zone and its today, whether the data is made up. */
export function useSystem(): System {
  const session = useSession();
  if (session.state !== "signedIn" && session.state !== "signedOut") throw new Error("The server has not answered yet.");
  return session.system;
}
