import { whenIdle } from "../ui/idle.ts";

const worker = "/sw.js";
const settleMs = 2000;

/** The page itself and the files of ours that it has loaded so far. */
const filesInUse = (): string[] => [
  "/",
  "/before.js",
  ...performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname),
];

/** Lets the application open without network: a service worker keeps its files. Not in development, whose files change. */
export function keepApplication(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  performance.setResourceTimingBufferSize(1000);
  // Without it the application needs the network, as any page does.
  whenIdle(async () => {
    const { active } = await navigator.serviceWorker.register(worker);
    if (!active) await navigator.serviceWorker.ready;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ files: filesInUse() }, []));
    }, settleMs);
  };
  new PerformanceObserver(tell).observe({ type: "resource", buffered: true });
}
