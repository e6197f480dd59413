import type { EarlySessionQueryQuery } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { findKeptAnswer, keepAnswer, sessionAnswer, takeFormerAnswers } from "../../keptAnswers.ts";
import { closeStore, dropHolder, findHolder, isStillHolder, openStore } from "../../store/store.ts";
import { onNews, notifyWindows } from "../../store/windows.ts";
import { failureWords } from "../../ui/network/failureWords.ts";
import { heardFetch } from "../../ui/network/heardFetch.ts";
import { client, forgetAnswers, onSessionEnded } from "../../urql.ts";
import { sessionQuery, takeEarlyAnswer } from "./earlySession.ts";
import { endSession, findSignOut, keepSending, signedOutNote, sendSignOut } from "./signedOut.ts";
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

/** The state of the session: being checked, unknown because the server cannot be reached, or known. `isLeft`: the person has signed out. */
export type Session =
  | { state: "asking" }
  | { state: "unreachable"; words: string }
  | { state: "signedOut"; system: System; isLeft?: boolean }
  | { state: "signedIn"; system: System; viewer: Viewer };

let session: Session = { state: "asking" };
const listeners = new Set<() => void>();

function become(next: Session): Session {
  session = next;
  for (const listener of listeners) listener();
  return session;
}

/** The present session, for loaders. Components use `useSession`. */
export function currentSession(): Session {
  return session;
}

/** Calls back whenever the session changes; returns a function that stops it. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let asking: Promise<Session> | undefined;
let askedAt = 0;
/** the number of sign-outs in this window: answers to requests from before the latest one are ignored */
let signOuts = 0;
/** the key of the last sign-in */
let newSealKey: string | undefined;

async function fetchSealKey(): Promise<string | undefined> {
  const answer = await heardFetch("/api/v1/auth/seal-key", { credentials: "same-origin" });
  return answer.ok ? ((await answer.json()) as { sealKey: string }).sealKey : undefined;
}

/** Opens this person's storage on the device. If the sign-in gave no key, the key is fetched in the background. */
async function openFor(data: EarlySessionQueryQuery, person: string): Promise<void> {
  const sealKey = newSealKey;
  newSealKey = undefined;
  const isOpen = !sealKey && (await findHolder())?.userUuid === person;
  const opened = isOpen ? Promise.resolve() : openStore(person, sealKey ? () => Promise.resolve(sealKey) : fetchSealKey);
  void opened.then(() => keepAnswer(person, sessionAnswer, {}, { data })).then(() => takeFormerAnswers(person));
  if (sealKey) await opened;
}

/** The person who was signed in when the server was last reached, and who has not signed out since. */
async function keptSession(): Promise<EarlySessionQueryQuery | undefined> {
  return (await findKeptAnswer(sessionAnswer, {}))?.data as EarlySessionQueryQuery | undefined;
}

async function ask(): Promise<Session> {
  askedAt = Date.now();
  const signOutsBefore = signOuts;
  const left = (await findSignOut()) as { system: System } | undefined;
  if (left) {
    void keepSending();
    return become({ state: "signedOut", system: left.system });
  }
  const context = { requestPolicy: "network-only", fetchOptions: { credentials: "same-origin" }, ...(await takeEarlyAnswer()) } as const;
  const { data: fresh, error } = await client.query(sessionQuery, {}, context).toPromise();
  const data = fresh ?? (await keptSession());
  if (signOuts !== signOutsBefore) return session;
  if (!data) {
    if (session.state === "signedIn" || session.state === "signedOut") return session;
    resumeLater();
    return become({ state: "unreachable", words: failureWords(error) });
  }
  const person = data.viewer?.user.uuid;
  if (fresh && person) await openFor(fresh, person);
  // The server has ended the session. Unsent work stays on the device, encrypted.
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

/** Begins the session of the person who has just signed in. The key opens their storage on the device. */
export async function beginSession(sealKey: string | undefined): Promise<Session> {
  // A request that is under way was sent before the sign-in, and its answer says so.
  await asking;
  newSealKey = sealKey;
  return askSession();
}

/** The message that the session was resumed stays until the person acts. */
function sayResuming(): void {
  showMessage(resuming);
  const goOn = () => {
    for (const act of ["click", "keyup", "hashchange"]) window.removeEventListener(act, goOn);
    withdrawMessage(resuming);
  };
  for (const act of ["click", "keyup", "hashchange"]) window.addEventListener(act, goOn);
}

/** The check on load: shows whether the session was resumed or the person has to sign in. */
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

/** Checks the session again while somebody is signed in, and shows a message if it has ended. */
export async function checkSession(): Promise<void> {
  if (session.state !== "signedIn") return;
  if ((await askSession()).state === "signedOut") showMessage(pleaseLogin);
}

/** Clears all data that a person has read in this window. */
function leave(system: System): void {
  signOuts += 1;
  forgetAnswers();
  withdrawMessages();
  history.replaceState(null, "", `#${routes.home()}`);
  become({ state: "signedOut", system, isLeft: true });
}

/**
 * Signs out on this device, with or without network: the keys are deleted, and the server is notified as soon as it can be reached. Returns false if
 * neither was possible.
 */
export async function signOut(): Promise<boolean> {
  if (session.state !== "signedIn") return false;
  const { system } = session;
  try {
    await closeStore({ name: signedOutNote, value: { system } });
  } catch {
    // A device that stores nothing cannot note the sign-out either.
    if (!(await endSession())) return false;
    dropHolder();
    notifyWindows({ of: "closed", isSignOut: true });
  }
  // On a slow network the person does not wait for the answer.
  await Promise.race([sendSignOut(), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  void keepSending();
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

/** A window that the browser had frozen has missed the messages of other windows. */
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
