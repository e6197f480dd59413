import type { EarlySessionQueryQuery } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { findKeptAnswer, keepAnswer, sessionAnswer, takeFormerAnswers } from "../../keptAnswers.ts";
import { closeStore, dropHolder, findHolder, isStillHolder, openStore } from "../../store/store.ts";
import { onNews, tellWindows } from "../../store/windows.ts";
import { heardFetch } from "../../ui/network/heardFetch.ts";
import { client, forgetAnswers, onSessionEnded } from "../../urql.ts";
import { sessionQuery, takeEarlyAnswer } from "./earlySession.ts";
import { endSession, findSignOut, keepTelling, signedOutNote, tellSignOut } from "./signedOut.ts";
import { showMessage, withdrawMessage, withdrawMessages } from "../toast/toaster.tsx";

const recheckAfterMs = 60_000;
const patienceMs = 2000;
const againMs = 15_000;
const pleaseLogin = "Please login";
const resuming = "Resuming session";

/** The signed-in person and what they may do. */
export type Viewer = NonNullable<EarlySessionQueryQuery["viewer"]>;
/** What the server says about itself. */
export type System = EarlySessionQueryQuery["system"];

/** The state of the session: being checked, unknown because the server is away, or known; `isLeft`: the person has signed out. */
export type Session =
  | { state: "asking" }
  | { state: "unreachable" }
  | { state: "signedOut"; system: System; isLeft?: boolean }
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
/** counts the sign-outs of this window: an answer to a request from before a sign-out is ignored after it */
let signOuts = 0;
/** the key of the last sign-in */
let newSealKey: string | undefined;

async function fetchSealKey(): Promise<string | undefined> {
  const answer = await heardFetch("/api/v1/auth/seal-key", { credentials: "same-origin" });
  return answer.ok ? ((await answer.json()) as { sealKey: string }).sealKey : undefined;
}

/** Opens what this person has stored here. Without the key of a sign-in it is fetched in the background. */
async function openFor(data: EarlySessionQueryQuery, person: string): Promise<void> {
  const sealKey = newSealKey;
  newSealKey = undefined;
  const isOpen = !sealKey && (await findHolder())?.userUuid === person;
  const opened = isOpen ? Promise.resolve() : openStore(person, sealKey ? () => Promise.resolve(sealKey) : fetchSealKey);
  void opened.then(() => keepAnswer(person, sessionAnswer, {}, { data })).then(() => takeFormerAnswers(person));
  if (sealKey) await opened;
}

/** Who was signed in here when the server was last reached, and has not signed out. */
async function keptSession(): Promise<EarlySessionQueryQuery | undefined> {
  return (await findKeptAnswer(sessionAnswer, {}))?.data as EarlySessionQueryQuery | undefined;
}

async function ask(): Promise<Session> {
  askedAt = Date.now();
  const signOutsBefore = signOuts;
  const left = (await findSignOut()) as { system: System } | undefined;
  if (left) {
    void keepTelling();
    return become({ state: "signedOut", system: left.system });
  }
  const context = { requestPolicy: "network-only", fetchOptions: { credentials: "same-origin" }, ...(await takeEarlyAnswer()) } as const;
  const { data: fresh } = await client.query(sessionQuery, {}, context).toPromise();
  const data = fresh ?? (await keptSession());
  if (signOuts !== signOutsBefore) return session;
  if (!data) {
    if (session.state === "signedIn" || session.state === "signedOut") return session;
    resumeLater();
    return become({ state: "unreachable" });
  }
  const person = data.viewer?.user.uuid;
  if (fresh && person) await openFor(fresh, person);
  // The server has ended the session: what waits stays here, sealed.
  if (fresh && !person && (await findHolder())) await closeStore().catch(dropHolder);
  if (fresh && !person) void takeFormerAnswers(undefined);
  const before = session.state === "signedIn" ? session.viewer.user.uuid : undefined;
  if (before !== person) forgetAnswers(person);
  withdrawMessage(data.viewer ? pleaseLogin : resuming);
  return become(
    data.viewer ? { state: "signedIn", system: data.system, viewer: data.viewer } : { state: "signedOut", system: data.system },
  );
}

/** Asks the server who is signed in. */
export function askSession(): Promise<Session> {
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
}

/** Goes on as who has just signed in, with the key that opens what they keep here. */
export async function beginSession(sealKey: string | undefined): Promise<Session> {
  // Requests from before the sign-in are answered as before it.
  await asking;
  newSealKey = sealKey;
  return askSession();
}

/** The message that the session is resumed stays until the person does something. */
function sayResuming(): void {
  showMessage(resuming);
  const goOn = () => {
    for (const act of ["click", "keyup", "hashchange"]) window.removeEventListener(act, goOn);
    withdrawMessage(resuming);
  };
  for (const act of ["click", "keyup", "hashchange"]) window.addEventListener(act, goOn);
}

/** The check on load: tells the person whether a session goes on or they have to sign in. */
export async function resumeSession(): Promise<void> {
  const { state } = await askSession();
  if (state === "signedIn") sayResuming();
  if (state === "signedOut") showMessage(pleaseLogin);
}

let again: ReturnType<typeof setTimeout> | undefined;

/** Asks again later, because the server cannot be reached and this device does not know who is signed in. */
function resumeLater(): void {
  clearTimeout(again);
  again = setTimeout(() => void resumeSession(), againMs);
}

globalThis.addEventListener("online", () => {
  if (session.state === "unreachable") void resumeSession();
});

/** Asks again while somebody is signed in; tells them if the session has ended. */
export async function checkSession(): Promise<void> {
  if (session.state !== "signedIn") return;
  if ((await askSession()).state === "signedOut") showMessage(pleaseLogin);
}

/** Clears all that a person read in this window. */
function leave(system: System): void {
  signOuts += 1;
  forgetAnswers();
  withdrawMessages();
  history.replaceState(null, "", `#${routes.home()}`);
  become({ state: "signedOut", system, isLeft: true });
}

/**
 * Signs out on this device, with or without network: the keys go, and the server is told as soon as it can be reached. False where
 * neither worked.
 */
export async function signOut(): Promise<boolean> {
  if (session.state !== "signedIn") return false;
  const { system } = session;
  try {
    await closeStore({ name: signedOutNote, value: { system } });
  } catch {
    // A device that stores nothing cannot remember the sign-out either.
    if (!(await endSession())) return false;
    dropHolder();
    tellWindows({ of: "closed", isSignOut: true });
  }
  // Where the network is slow, nobody waits for it.
  await Promise.race([tellSignOut(), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  void keepTelling();
  leave(system);
  return true;
}

onSessionEnded(() => void checkSession());

onNews((news) => {
  if (news.of === "record") return;
  dropHolder();
  if (news.of === "opened" || !news.isSignOut) void askSession();
  else if (session.state === "signedIn") leave(session.system);
});

/** A window that was frozen has missed the messages of other windows. */
async function catchUp(): Promise<void> {
  if (session.state === "signedIn" && !(await isStillHolder())) {
    dropHolder();
    if (await findSignOut()) leave(session.system);
    else void askSession();
    return;
  }
  if (Date.now() - askedAt > recheckAfterMs) await checkSession();
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void catchUp();
});
