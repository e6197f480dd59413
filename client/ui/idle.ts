const quietMs = 1000;

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function rest(): void {
  for (const act of waiting) {
    waiting.delete(act);
    act();
  }
}

function wait(): void {
  clearTimeout(timer);
  if (waiting.size > 0) timer = setTimeout(rest, quietMs);
}

new PerformanceObserver(wait).observe({ type: "resource" });

/** Does what can wait once nothing has arrived for a second: the screen is there, with its figures. Returns how to call it off. */
export function whenIdle(act: () => void): () => void {
  waiting.add(act);
  wait();
  return () => waiting.delete(act);
}
