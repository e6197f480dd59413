import { openDB } from "idb";
import { faultOf } from "./clockFault.ts";
import type { Learned } from "./clockFault.ts";

/**
 * The server's time on this device: the device's clock, corrected by the Date header of the server's answers. What was
 * learned last is stored on the device, so that it is known without network too. It is not personal, so it is stored
 * unencrypted for all people of the device.
 *
 * A clock can also be wrong without any correction that is known: it was set, or a battery died. Then nobody's visit
 * gets its time.
 */

/** An answer takes a while to arrive. A measured time that is earlier by up to this much may only be late. */
const delayMs = 30_000;
/** A wrong clock is looked for again after this time. */
const lookAgainMs = 10_000;

const table = "ahead";
const row = "learned";
/** The stored time of an answer is at most this old. */
const keepAgainMs = 10 * 60_000;

/** Unknown before the first answer. */
let learned: Learned | undefined;
let kept: Learned | undefined;
/** Readings at one moment of the clock, which somebody can set, and of the time since the start, which nobody can. */
let since = { clock: Date.now(), running: performance.now() };
const listeners = new Set<() => void>();

const corrected = (): number => Date.now() - (learned?.ahead ?? 0);

/** The server's time now, as far as this device knows it: never before its last answer. */
export const now = (): Date => new Date(Math.max(corrected(), learned?.at ?? 0));

/**
 * How far the device's clock is ahead of the server's, in milliseconds; negative if it is behind, 0 if nothing is
 * known.
 */
export const clockIsOffBy = (): number => learned?.ahead ?? 0;

/** What is wrong with the device's clock, if no correction is known; null if nothing is. */
export const findClockFault = (): ReturnType<typeof faultOf> => {
  const jumped = Date.now() - since.clock - (performance.now() - since.running);
  return faultOf({ clock: Date.now(), jumped, learned });
};

/** Whether the device's clock is wrong and no correction is known. */
export const isClockWrong = (): boolean => findClockFault() !== null;

/** Calls back when the clock was corrected, and from time to time; returns a function that stops it. */
export function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener);
  const again = setInterval(listener, lookAgainMs);
  return () => {
    listeners.delete(listener);
    clearInterval(again);
  };
}

function take(found: Learned): void {
  learned = found;
  for (const listener of listeners) listener();
}

/** Takes the server's time from an answer that just arrived, never from a stored one, whose date is old. */
export function learnServerTime(response: Response): void {
  const at = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(at)) return;
  since = { clock: Date.now(), running: performance.now() };
  const found = Date.now() - at;
  // The later of two times is nearer to the truth, unless the device's clock was set meanwhile.
  const isLate = learned !== undefined && found >= learned.ahead && found < learned.ahead + delayMs;
  const ahead = isLate && learned ? learned.ahead : found;
  take({ ahead, at });
  if (!kept || kept.ahead !== ahead || Math.abs(at - kept.at) > keepAgainMs) void keep({ ahead, at });
}

/** Not localStorage, because browsers may write that to the disk half a minute later. */
const open = () =>
  openDB<{ ahead: { key: string; value: Learned } }>("clock", 1, { upgrade: (db) => void db.createObjectStore(table) });

async function keep(next: Learned): Promise<void> {
  kept = next;
  try {
    const db = await open();
    const { store, done } = db.transaction(table, "readwrite", { durability: "strict" });
    await Promise.all([store.put(next, row), done]);
    db.close();
  } catch {
    // A device that stores nothing learns the time from the first answer of each page.
  }
}

async function recall(): Promise<void> {
  try {
    const db = await open();
    const found = await db.get(table, row);
    db.close();
    if (found && !learned) take(found);
  } catch {
    // Nothing is stored here.
  }
}

/** Resolves when what this device learned before was read. */
export const clockRecalled: Promise<void> = recall();
