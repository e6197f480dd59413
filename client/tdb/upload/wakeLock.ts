/**
 * Keeps a phone awake while a file is sent: a sleeping phone sends nothing. If the browser cannot, the person has to.
 */

let isWanted = false;
let lock: WakeLockSentinel | undefined;
let asking = false;

async function take(): Promise<void> {
  if (
    !isWanted ||
    asking ||
    (lock && !lock.released) ||
    !("wakeLock" in navigator) ||
    document.visibilityState !== "visible"
  )
    return;
  asking = true;
  try {
    lock = await navigator.wakeLock.request("screen");
    if (!isWanted) await lock.release();
  } catch {
    // Refused, for example with an empty battery: the upload continues anyway.
  } finally {
    asking = false;
  }
}

/** Sets whether something is being sent. */
export function keepAwake(wanted: boolean): void {
  if (wanted === isWanted) return;
  isWanted = wanted;
  if (wanted) void take();
  else void lock?.release().catch(() => {});
}

// The browser releases the lock when the page is hidden.
document.addEventListener("visibilitychange", () => void take());
