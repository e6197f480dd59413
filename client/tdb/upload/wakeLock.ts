/** Keeps a phone from sleeping while a file is sent: asleep, it sends nothing. Where the browser cannot, the person has to. */

let isWanted = false;
let lock: WakeLockSentinel | undefined;
let asking = false;

async function take(): Promise<void> {
  if (!isWanted || asking || (lock && !lock.released) || !("wakeLock" in navigator) || document.visibilityState !== "visible") return;
  asking = true;
  try {
    lock = await navigator.wakeLock.request("screen");
    if (!isWanted) await lock.release();
  } catch {
    // Refused, with an empty battery for example: it sends all the same.
  } finally {
    asking = false;
  }
}

/** Says whether something is being sent. */
export function keepAwake(wanted: boolean): void {
  if (wanted === isWanted) return;
  isWanted = wanted;
  if (wanted) void take();
  else void lock?.release().catch(() => {});
}

// The browser gives it back when the page is hidden.
document.addEventListener("visibilitychange", () => void take());
