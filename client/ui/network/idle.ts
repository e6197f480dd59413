import { isSavingData } from "./savingData.ts";

const quietMs = 500;
const betweenMs = 250;
/** How long one task can delay the others. */
const patienceMs = 10_000;

const waiting = new Set<() => unknown>();
const underWay = new Set<Promise<unknown>>();
let timer: ReturnType<typeof setTimeout> | undefined;
let isAtRest = false;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Resolves when the browser has nothing to draw, at the latest after two seconds: on a slow device it always has. (Safari has no
 * `requestIdleCallback`: there it resolves at once.) */
const drawn = () =>
  "requestIdleCallback" in globalThis
    ? new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }))
    : after(0);

/** Runs the deferred tasks one after the other, until something else is loading. */
async function rest(): Promise<void> {
  if (isAtRest) return;
  isAtRest = true;
  for (const act of waiting) {
    await drawn();
    if (underWay.size > 0) break;
    // It may have been cancelled meanwhile.
    if (!waiting.delete(act)) continue;
    const done = Promise.resolve().then(act);
    await Promise.race([done, after(patienceMs)]).catch(() => {
      // If fetching ahead fails, the file is fetched when it is needed.
    });
    await after(betweenMs);
  }
  isAtRest = false;
}

function wait(): void {
  clearTimeout(timer);
  if (waiting.size > 0 && underWay.size === 0) timer = setTimeout(() => void rest(), quietMs);
}

/** Marks a promise as urgent, so that deferred tasks wait for it; returns the promise. */
export function busyWith<T>(work: Promise<T>): Promise<T> {
  const ended = () => {
    underWay.delete(work);
    wait();
  };
  underWay.add(work);
  wait();
  work.then(ended, ended);
  return work;
}

/**
 * Runs tasks that can wait, once nothing has been loading for half a second: by then the screen is complete. One task
 * at a time, with pauses, so that browser and line stay free for the person. A task may fail silently. Returns a
 * function that cancels them.
 */
export function whenIdle(...acts: (() => unknown)[]): () => void {
  acts.forEach((act) => waiting.add(act));
  wait();
  return () => acts.forEach((act) => waiting.delete(act));
}

/** Runs a task that can wait and may never be needed; never when data is saved. Returns a function that cancels it. */
export const readAhead = (...acts: (() => unknown)[]): (() => void) => (isSavingData() ? () => {} : whenIdle(...acts));
