const latestMs = 2000;

/** Does what can wait once the browser has nothing better to do, or two seconds later; returns how to call it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, latestMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: latestMs });
  return () => cancelIdleCallback(handle);
}
