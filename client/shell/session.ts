import type { EarlySessionQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { heardFetch } from "../ui/heardFetch.ts";
import { client, forgetAnswers, onSessionEnded } from "../urql.ts";
import { sessionQuery, takeEarlyAnswer } from "./earlySession.ts";
import { showMessage, withdrawMessage } from "./toaster.tsx";

const recheckAfterMs = 60_000;
const pleaseLogin = "Please login";
const resuming = "Resuming session";

/** The signed-in person and what they may do. */
export type Viewer = NonNullable<EarlySessionQueryQuery["viewer"]>;
/** What the server says about itself. */
export type System = EarlySessionQueryQuery["system"];

/** How the session stands: being asked, unknown because the server is away, or known. */
export type Session =
  | { state: "asking" }
  | { state: "unreachable" }
  | { state: "signedOut"; system: System }
  | { state: "signedIn"; system: System; viewer: Viewer };

let session: Session = { state: "asking" };
const listeners = new Set<() => void>();

function become(next: Session): Session {
  session = next;
  for (const listener of listeners) listener();
  return session;
}

/** The session as it stands now, for loaders; components use `useSession`. */
export function currentSession(): Session {
  return session;
}

/** Calls back whenever the session changes; returns how to stop. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let asking: Promise<Session> | undefined;
let askedAt = 0;

async function ask(): Promise<Session> {
  askedAt = Date.now();
  const { data } = await client.query(sessionQuery, {}, { requestPolicy: "network-only", ...takeEarlyAnswer() }).toPromise();
  if (!data) return session.state === "signedIn" || session.state === "signedOut" ? session : become({ state: "unreachable" });
  const before = session.state === "signedIn" ? session.viewer.user.uuid : undefined;
  if (before !== data.viewer?.user.uuid) forgetAnswers();
  if (data.viewer) withdrawMessage(pleaseLogin);
  return become(
    data.viewer ? { state: "signedIn", system: data.system, viewer: data.viewer } : { state: "signedOut", system: data.system },
  );
}

/** Asks the server who is signed in. */
export function askSession(): Promise<Session> {
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
}

/** The check on load: tells the person whether a session goes on or they have to sign in. */
export async function resumeSession(): Promise<void> {
  const { state } = await askSession();
  if (state === "signedIn") showMessage(resuming);
  if (state === "signedOut") showMessage(pleaseLogin);
}

/** Asks again while somebody is signed in; tells them if the session has ended. */
export async function checkSession(): Promise<void> {
  if (session.state !== "signedIn") return;
  if ((await askSession()).state === "signedOut") showMessage(pleaseLogin);
}

/** Ends the session at the server; true when that worked and the signed-in state is cleared. */
export async function signOut(): Promise<boolean> {
  const answer = await heardFetch("/api/v1/auth/logout", { credentials: "same-origin" }).catch(() => undefined);
  if (answer?.status !== 200 || session.state !== "signedIn") return false;
  forgetAnswers();
  withdrawMessage(resuming);
  history.replaceState(null, "", `#${routes.home()}`);
  become({ state: "signedOut", system: session.system });
  return true;
}

onSessionEnded(() => void checkSession());

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && Date.now() - askedAt > recheckAfterMs) void checkSession();
});
