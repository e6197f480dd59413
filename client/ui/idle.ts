const quietMs = 1000;

const waiting = new Set<() => unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Does one after the other, each in a step of its own, so that the browser can do in between what the person asks for. */
function rest(): void {
  const [act] = waiting;
  if (!act) return;
  waiting.delete(act);
  setTimeout(rest);
  Promise.resolve(act()).catch(() => {
    // What was to be fetched before it is wanted is fetched when it is.
  });
}

function wait(): void {
  clearTimeout(timer);
  if (waiting.size > 0) timer = setTimeout(rest, quietMs);
}

new PerformanceObserver(wait).observe({ type: "resource" });

/**
 * Does what can wait once nothing has arrived for a second: the screen is there, with its figures. Each act may fail, which nobody
 * is told. Returns how to call them off.
 */
export function whenIdle(...acts: (() => unknown)[]): () => void {
  acts.forEach((act) => waiting.add(act));
  wait();
  return () => acts.forEach((act) => waiting.delete(act));
}
