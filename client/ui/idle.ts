import { isSavingData } from "./savingData.ts";

const quietMs = 500;
const betweenMs = 250;
/** How long an act can keep the others waiting. */
const patienceMs = 10_000;

const waiting = new Set<() => unknown>();
const underWay = new Set<Promise<unknown>>();
let timer: ReturnType<typeof setTimeout> | undefined;
let isAtRest = false;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Until the browser has nothing to draw; Safari does not tell of it. */
const drawn = () => ("requestIdleCallback" in globalThis ? new Promise((resolve) => requestIdleCallback(resolve)) : after(0));

/** Does one after the other of what waits, until something else is on its way. */
async function rest(): Promise<void> {
  if (isAtRest) return;
  isAtRest = true;
  for (const act of waiting) {
    await drawn();
    if (underWay.size > 0) break;
    // It may have been called off meanwhile.
    if (!waiting.delete(act)) continue;
    const done = Promise.resolve().then(act);
    await Promise.race([done, after(patienceMs)]).catch(() => {
      // What was to be fetched before it is wanted is fetched when it is.
    });
    await after(betweenMs);
  }
  isAtRest = false;
}

function wait(): void {
  clearTimeout(timer);
  if (waiting.size > 0 && underWay.size === 0) timer = setTimeout(() => void rest(), quietMs);
}

/** Says that something is on its way which what can wait must not get in the way of; answers with it. */
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
 * Does what can wait once nothing has been on its way for half a second: the screen is there, with its figures. One act at a time,
 * with a pause between them, so that the browser and the line are free for what the person asks for. Each may fail, which nobody is
 * told. Returns how to call them off.
 */
export function whenIdle(...acts: (() => unknown)[]): () => void {
  acts.forEach((act) => waiting.add(act));
  wait();
  return () => acts.forEach((act) => waiting.delete(act));
}

const stayMs = 5000;
let staying: ReturnType<typeof setTimeout> | undefined;

/** Reads ahead for who stays with what they look at, and not for who goes through one after the other. */
export function readAheadOnStay(...acts: (() => unknown)[]): void {
  clearTimeout(staying);
  staying = setTimeout(() => readAhead(...acts), stayMs);
}

const touches = ["pointerdown", "keydown", "input"] as const;

/** Once the page is used, which a page that is only read never is: by a finger, a mouse or a key. Returns how to call it off. */
function whenTouched(act: () => void): () => void {
  const stop = () => touches.forEach((touch) => removeEventListener(touch, touched, true));
  const touched = () => {
    stop();
    act();
  };
  touches.forEach((touch) => addEventListener(touch, touched, { capture: true, passive: true }));
  return stop;
}

/** What can wait until somebody begins to use the page. Returns how to call it off. */
export function readOnceTouched(...acts: (() => unknown)[]): () => void {
  let callOff = () => {};
  callOff = whenTouched(() => (callOff = readAhead(...acts)));
  return () => callOff();
}

/** What can wait and may never be wanted: not at all where data is saved. Returns how to call it off. */
export const readAhead = (...acts: (() => unknown)[]): (() => void) => (isSavingData() ? () => {} : whenIdle(...acts));
