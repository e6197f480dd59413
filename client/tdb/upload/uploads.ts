import { speedometer } from "../../../gateway/tdb/sending.rules.ts";
import type { TdbReceipt } from "../../../gateway/tdb/tdb.rules.ts";
import { checkSession, currentSession, subscribeToSession } from "../../shell/session/session.ts";
import { showError, showSuccess } from "../../shell/toast/toaster.tsx";
import { askAgain } from "../../urql.ts";
import { callerAt } from "./calls.ts";
import { Refused, SignedOut, Unreadable } from "./failures.ts";
import { sourceOf } from "./recognise.ts";
import { sendFile } from "./sendFile.ts";
import {
  changeFile,
  changeUploads,
  currentUploads,
  pending,
  type Progress,
  resetUploads,
  type UploadFile,
} from "./uploadState.ts";
import { keepAwake } from "./wakeLock.ts";

/**
 * This window's uploads: one file after the other, on any screen. The addresses of uploads are known while the window
 * is open; afterwards the server's list has them.
 */

/** Nothing was chosen. The message goes when something is. */
export const chooseFirstMessage = "Choose at least one file.";

export const call = callerAt("");

const line = speedometer();
const tickMs = 1000;
/** If the session turns out to be valid after a refusal, the call is tried again after so long. */
const againMs = 3000;

function viewerUuid(): string | undefined {
  const session = currentSession();
  return session.state === "signedIn" ? session.viewer.user.uuid : undefined;
}

/** The uploads at the server, by file. */
const addresses = new Map<number, { path?: string; isBegun?: boolean }>();
/** Who is signed in, or was last: whose uploads these are. */
let owner = viewerUuid();
let active: { id: number; stop: () => void; wake: () => void } | undefined;
let onTheWay = 0;
let trouble: string | undefined;
/** Nothing was being sent: the next file starts a new measurement of the speed. */
let isRested = true;
let ticking: ReturnType<typeof setInterval> | undefined;

const fileOf = (id: number) => currentUploads().files.find((one) => one.id === id);
const isUnderWay = () => currentUploads().progress !== undefined;

function progressNow(): Progress {
  const now = Date.now();
  const { files } = currentUploads();
  const there = files.reduce(
    (sum, { state, file, there: bytes }) => sum + (state === "settled" ? file.size : bytes),
    0,
  );
  const quietMs = active ? line.quietFor(now) : undefined;
  return {
    sent: there + (active ? line.plausible(now, onTheWay) : 0),
    total: files.reduce((sum, { file }) => sum + file.size, 0),
    bytesPerSecond: active ? line.speedAt(now) : undefined,
    quietSeconds: quietMs && quietMs / 1000,
    trouble,
  };
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * Updates the shown progress. While something is being sent, the device is kept awake, and closing the window asks
 * first.
 */
function publish(): void {
  if (isUnderWay()) changeUploads({ progress: progressNow() });
  const { isPaused, needsSignIn } = currentUploads();
  keepAwake(isUnderWay() && !isPaused && !needsSignIn);
  if (isUnderWay() === (ticking !== undefined)) return;
  if (isUnderWay()) {
    ticking = setInterval(publish, tickMs);
    addEventListener("beforeunload", warn);
  } else {
    clearInterval(ticking);
    ticking = undefined;
    removeEventListener("beforeunload", warn);
  }
}

function stopActive(): void {
  active?.stop();
  active = undefined;
  onTheWay = 0;
  trouble = undefined;
  isRested = true;
}

const failed = (file: File, message: string): TdbReceipt => ({
  ...{
    fileName: file.name,
    accepted: false,
    duplicate: false,
    uuid: null,
    reference: null,
    facilityUuid: null,
    facility: null,
  },
  ...{ sha256: null, size: file.size, uploadDate: null, uploadTime: null, held: null, error: { message } },
});

/** All files are done: shows the result in the specification's words. */
function settle(): void {
  isRested = true;
  const receipts = currentUploads().files.flatMap(({ receipt }) => receipt ?? []);
  addresses.clear();
  changeUploads({ files: [], progress: undefined, isPaused: false, outcome: pending });
  askAgain();
  const bad = receipts.filter(({ accepted }) => !accepted);
  if (bad.length > 0) {
    for (const { fileName, error } of bad) showError(`${fileName}: ${error?.message}`);
    changeUploads({
      outcome: { tone: "failed", caption: `${bad.length} file(s) FAILED to upload, Click Browse to Try again..!` },
    });
  } else if (receipts.length > 0) {
    showSuccess("Successfully uploaded TDB files!");
    changeUploads({
      outcome: { tone: "successful", caption: `${receipts.length} file(s) uploaded, Click Browse to Add more..!` },
    });
  }
}

function end(id: number, receipt: TdbReceipt): void {
  changeFile(id, { state: "settled", receipt });
  changeUploads({ receipts: [...currentUploads().receipts, receipt] });
}

/** The server says that nobody, or somebody else, is signed in: checks the session. */
async function holdForSignIn(): Promise<void> {
  changeUploads({ needsSignIn: true });
  publish();
  await checkSession();
  if (currentSession().state === "signedIn") setTimeout(onSession, againMs);
}

async function run({ id, file, inspection }: UploadFile): Promise<void> {
  if (inspection?.isRefused) {
    end(id, failed(file, inspection.warning ?? "The file cannot be accepted."));
    return next();
  }
  const stopper = new AbortController();
  let wake = () => {};
  const mine = { id, stop: () => stopper.abort(), wake: () => wake() };
  active = mine;
  const upload = addresses.get(id) ?? {};
  addresses.set(id, upload);
  if (isRested) line.begin(Date.now());
  isRested = false;
  changeFile(id, { state: "sending" });
  publish();
  try {
    const receipt = await sendFile({
      ...{ call, source: sourceOf(file), upload, owner, signal: stopper.signal },
      pause: (ms) =>
        new Promise((resolve) => {
          wake = resolve;
          stopper.signal.addEventListener("abort", () => resolve());
          setTimeout(resolve, ms);
        }),
      events: {
        there: (bytes, came) => {
          if (active !== mine) return;
          upload.isBegun = true;
          if (came > 0) {
            line.arrived(Date.now(), came);
            trouble = undefined;
          }
          changeFile(id, { there: bytes });
          publish();
        },
        onTheWay: (bytes) => {
          if (active === mine) onTheWay = bytes;
        },
        trouble: (reason) => {
          if (active !== mine) return;
          trouble = reason;
          publish();
        },
        finalising: () => {
          if (active === mine) line.arrived(Date.now(), 0);
          publish();
        },
      },
    });
    end(id, receipt);
  } catch (error) {
    if (stopper.signal.aborted) return;
    if (error instanceof SignedOut) {
      changeFile(id, { state: "waiting" });
      void holdForSignIn();
    } else {
      // It would fail again.
      const isOwnFault = error instanceof Unreadable || (error instanceof Refused && error.status === 422);
      end(id, failed(file, error instanceof Error ? error.message : "The upload failed."));
      if (!isOwnFault) changeUploads({ again: [...currentUploads().again, file] });
    }
  } finally {
    if (active === mine) {
      stopActive();
      isRested = currentUploads().needsSignIn;
    }
    next();
  }
}

/** Continues with the next waiting file. When all are done, shows the result. */
function next(): void {
  if (!isUnderWay()) return;
  const { files, isPaused, needsSignIn } = currentUploads();
  const waiting = files.find(({ state }) => state === "waiting");
  if (!active && !isPaused && !needsSignIn && waiting) void run(waiting);
  else if (files.every(({ state }) => state === "settled")) settle();
  publish();
}

/** Starts to send the chosen files in the name of the signed-in person. */
export function begin(): void {
  const { files } = currentUploads();
  if (files.length === 0) return showError(chooseFirstMessage);
  changeUploads({
    ...{ receipts: [], again: [], isPaused: false, outcome: pending },
    files: files.map((one) => ({ ...one, state: "waiting" })),
    progress: { sent: 0, total: 0 },
  });
  next();
}

/** Records that a file continues an upload that the server has. */
export function continueAt(id: number, path: string): void {
  if (fileOf(id)?.state === "chosen") addresses.set(id, { path });
}

export function pauseAll(): void {
  changeUploads({ isPaused: true });
  if (active) changeFile(active.id, { state: "waiting" });
  stopActive();
  publish();
}

export function resumeAll(): void {
  changeUploads({ isPaused: false });
  next();
}

/** Pauses one file; the others continue. */
export function pause(id: number): void {
  if (active?.id === id) stopActive();
  changeFile(id, { state: "paused" });
  next();
}

export function resume(id: number): void {
  changeFile(id, { state: "waiting" });
  next();
}

/**
 * Deletes the part of a file at the server if this window was sending it. An upload that it would only have continued
 * stays.
 */
function giveUp(id: number): void {
  const { path, isBegun } = addresses.get(id) ?? {};
  addresses.delete(id);
  if (path && isBegun) void call("DELETE", path, { headers: { "Tus-Resumable": "1.0.0" } }).catch(() => {});
}

/** Removes one file. */
export function cancel(id: number): void {
  if (active?.id === id) stopActive();
  giveUp(id);
  changeUploads({ files: currentUploads().files.filter((one) => one.id !== id) });
  next();
}

/** Cancels all unfinished files, and clears the list. */
export function cancelAll(): void {
  stopActive();
  for (const { id, state } of currentUploads().files) if (state !== "settled") giveUp(id);
  addresses.clear();
  changeUploads({ files: [], progress: undefined, isPaused: false, needsSignIn: false, outcome: pending });
  publish();
}

/** Clears a person's uploads for the next person. What was sent stays at the server for its sender. */
function forget(): void {
  stopActive();
  addresses.clear();
  resetUploads();
  publish();
}

function onSession(): void {
  const session = currentSession();
  if (session.state === "signedOut" && session.isLeft) return forget();
  if (session.state === "signedOut" && isUnderWay()) {
    if (active) changeFile(active.id, { state: "waiting" });
    stopActive();
    changeUploads({ needsSignIn: true });
    publish();
  }
  if (session.state !== "signedIn") return;
  const before = owner;
  owner = viewerUuid();
  if (before !== owner) return forget();
  if (!currentUploads().needsSignIn) return;
  changeUploads({ needsSignIn: false });
  next();
}

// Deletes notes of an earlier version, which held file names. The server's list has replaced them.
for (const key of Object.keys(localStorage)) if (key.startsWith("tus::tdb-")) localStorage.removeItem(key);
subscribeToSession(onSession);
addEventListener("online", () => active?.wake());
