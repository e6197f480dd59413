import type { EarlySessionQueryQuery } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { findKeptAnswer, keepAnswer, sessionAnswer, takeFormerAnswers } from "../../keptAnswers.ts";
import { closeStore, dropHolder, findHolder, findPasswordSeal, isStillHolder } from "../../store/store.ts";
import { noteAnswer, openStore, openWithoutNetwork, sealIfUnanswered } from "../../store/store.ts";
import { onNews, notifyWindows } from "../../store/windows.ts";
import { failureWords } from "../../ui/network/failureWords.ts";
import { heardFetch } from "../../ui/network/heardFetch.ts";
import { noteZone } from "../../ui/text/instants.ts";
import { askMissing, client, forgetAnswers, onSessionEnded } from "../../urql.ts";
import { sessionQuery, takeEarlyAnswer } from "./earlySession.ts";
import { clockRecalled, now } from "../clock/clock.ts";
import { endSession, findSignOut, keepSending, signedOutNote, sendSignOut } from "./signedOut.ts";
import { showMessage, withdrawMessage, withdrawMessages } from "../toast/toaster.tsx";

const recheckAfterMs = 60_000;
const patienceMs = 2000;
const againMs = 15_000;
export const pleaseLogin = "Please login";
const resuming = "Resuming session";

/** The signed-in person and what they may do. */
export type Viewer = NonNullable<EarlySessionQueryQuery["viewer"]>;
/** What the server says about itself. */
export type System = EarlySessionQueryQuery["system"];

/**
 * The state of the session: being checked, unknown because the server cannot be reached, or known. `isLeft`: the person
 * has signed out. `hasEnded`: the session ended by time. The person continues to work with what the device stores, and
 * signs in again to send it. `isAway`: the server did not answer when it was asked last.
 */
export type Session =
  | { state: "asking" }
  | { state: "unreachable"; words: string }
  | { state: "signedOut"; system: System; isLeft?: boolean }
  | { state: "signedIn"; system: System; viewer: Viewer; hasEnded?: boolean; isAway?: boolean };

let session: Session = { state: "asking" };
const listeners = new Set<() => void>();

function become(next: Session): Session {
  session = next;
  if ("system" in next) noteZone(next.system);
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
/** the key and the password of the last sign-in */
let newKey: { sealKey: string | undefined; password: string } | undefined;

async function fetchSealKey(): Promise<string | undefined> {
  const answer = await heardFetch("/api/v1/auth/seal-key", { credentials: "same-origin" });
  return answer.ok ? ((await answer.json()) as { sealKey: string }).sealKey : undefined;
}

/** Opens this person's storage on the device. If the sign-in gave no key, the key is fetched in the background. */
async function openFor(data: EarlySessionQueryQuery, person: string): Promise<void> {
  const { sealKey, password } = newKey ?? {};
  newKey = undefined;
  const isOpen = password === undefined && (await findHolder())?.userUuid === person;
  const askSealKey = sealKey ? () => Promise.resolve(sealKey) : fetchSealKey;
  const time = now().getTime();
  const opened = isOpen ? noteAnswer(time).catch(() => {}) : openStore(person, time, askSealKey, password);
  void opened.then(() => keepAnswer(person, sessionAnswer, {}, { data })).then(() => takeFormerAnswers(person));
  if (sealKey) await opened;
}

/** The person who was signed in when the server was last reached, and who has not signed out since. */
async function keptSession(): Promise<EarlySessionQueryQuery | undefined> {
  return (await findKeptAnswer(sessionAnswer, {}))?.data as EarlySessionQueryQuery | undefined;
}

/**
 * Whether somebody ended the session: the person elsewhere, or an administrator. Undefined if the server did not say. A
 * session that ended by time was not ended by anybody.
 */
async function isRevoked(): Promise<boolean | undefined> {
  try {
    const answer = await heardFetch("/api/v1/auth", {
      credentials: "same-origin",
      headers: { Accept: "application/json" },
    });
    if (answer.status !== 401) return undefined;
    return ((await answer.json()) as { type?: string }).type === "urn:problem:session-revoked";
  } catch {
    return undefined;
  }
}

/**
 * The person of this device whose session ended by time. If somebody ended it, the store is closed: unsent work stays,
 * encrypted.
 */
async function findEnded(): Promise<Viewer | null> {
  if (!(await findHolder()) && !(await findPasswordSeal())) return null;
  if (await isRevoked()) {
    await closeStore().catch(dropHolder);
    return null;
  }
  if (!(await findHolder())) return null;
  await noteAnswer(now().getTime()).catch(() => {});
  return (await keptSession())?.viewer ?? (session.state === "signedIn" ? session.viewer : null);
}

/**
 * Seals the store of a person whom the server has not answered for 14 days. The person opens it with the password, or
 * signs in.
 */
async function sealOld(): Promise<void> {
  await clockRecalled;
  if (!(await sealIfUnanswered(now().getTime()))) return;
  forgetAnswers();
  session = { state: "asking" };
}

/**
 * Opens the sealed store with the password, without network. Returns false if it is another password.
 *
 * @throws NotKept
 */
export async function openSealed(password: string): Promise<boolean> {
  if (!(await openWithoutNetwork(password, now().getTime()))) return false;
  await askSession();
  return true;
}

async function ask(): Promise<Session> {
  await sealOld();
  askedAt = Date.now();
  const signOutsBefore = signOuts;
  const left = (await findSignOut()) as { system: System } | undefined;
  if (left) {
    void keepSending();
    return become({ state: "signedOut", system: left.system });
  }
  const context = {
    requestPolicy: "network-only",
    fetchOptions: { credentials: "same-origin" },
    ...(await takeEarlyAnswer()),
  } as const;
  const { data: fresh, error } = await client.query(sessionQuery, {}, context).toPromise();
  const ended = fresh && !fresh.viewer ? await findEnded() : null;
  const data = fresh ? { ...fresh, viewer: fresh.viewer ?? ended } : await keptSession();
  if (signOuts !== signOutsBefore) return session;
  if (!data) {
    if (session.state === "signedIn" || session.state === "signedOut") return session;
    resumeLater();
    return become({ state: "unreachable", words: failureWords(error) });
  }
  const person = data.viewer?.user.uuid;
  if (fresh?.viewer && person) await openFor(fresh, person);
  if (fresh && !person) void takeFormerAnswers(undefined);
  const before = session.state === "signedIn" ? session.viewer.user.uuid : undefined;
  if (before !== person) forgetAnswers(person);
  withdrawMessage(data.viewer ? pleaseLogin : resuming);
  if (!data.viewer) return become({ state: "signedOut", system: data.system });
  // Without an answer nothing is known about the session that was not known before.
  const hasEnded = fresh ? ended !== null : session.state === "signedIn" && session.hasEnded === true;
  const isResumed = session.state === "signedIn" && session.hasEnded === true && !hasEnded && before === person;
  become({ state: "signedIn", system: data.system, viewer: data.viewer, hasEnded, isAway: !fresh });
  if (isResumed) askMissing();
  return session;
}

/** Asks the server who is signed in. */
export function askSession(): Promise<Session> {
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
}

/**
 * Begins the session of the person who has just signed in. The key opens their storage on the device, later the
 * password does too.
 */
export async function beginSession(sealKey: string | undefined, password: string): Promise<Session> {
  // A request that is under way was sent before the sign-in, and its answer says so.
  await asking;
  newKey = { sealKey, password };
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

/**
 * Checks the session again while somebody is signed in. If it has ended, it is not checked again for each request that
 * is refused.
 */
export async function checkSession(): Promise<void> {
  if (session.state !== "signedIn" || (session.hasEnded && Date.now() - askedAt < recheckAfterMs)) return;
  if ((await askSession()).state !== "signedOut") return;
  // One notice: the others were about screens that are gone.
  withdrawMessages();
  showMessage(pleaseLogin);
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
 * Signs out on this device, with or without network: the keys are deleted, and the server is notified as soon as it can
 * be reached. Returns false if neither was possible.
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
