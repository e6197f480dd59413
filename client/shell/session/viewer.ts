import { useSyncExternalStore } from "react";
import { may } from "../../../gateway/access/access.rules.ts";
import type { Capability } from "../../../gateway/access/access.rules.ts";
import { dayIn } from "../../ui/text/instants.ts";
import { now } from "../clock/clock.ts";
import { currentSession, subscribeToSession } from "./session.ts";
import type { Session, System, Viewer } from "./session.ts";

/** The state of the session. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, currentSession);
}

/** The signed-in person. Only for screens, because they are rendered only while somebody is signed in. */
export function useViewer(): Viewer {
  const session = useSession();
  if (session.state !== "signedIn") throw new Error("Nobody is signed in.");
  return session.viewer;
}

/** Whether the person's session ended by time: they continue to work, and sign in again to send. */
export function useHasEnded(): boolean {
  const session = useSession();
  return session.state === "signedIn" && session.hasEnded === true;
}

/** Whether the signed-in person may do this. It decides what is shown; the server enforces the right. */
export function useMay(capability: Capability): boolean {
  const session = useSession();
  return session.state === "signedIn" && may(session.viewer.privileges, capability);
}

/**
 * Today in the ministry's zone, YYYY-MM-DD. A screen that has been open since yesterday, or without network since then,
 * uses the device's time. The server decides.
 */
export function useToday(): string {
  const { today, timeZone } = useSystem();
  const here = dayIn(now(), timeZone);
  return here > today ? here : today;
}

/**
 * The server's facts about itself: versions, the ministry's time zone and its present day, and whether the data is made
 * up.
 */
export function useSystem(): System {
  const session = useSession();
  if (session.state !== "signedIn" && session.state !== "signedOut")
    throw new Error("The server has not answered yet.");
  return session.system;
}
