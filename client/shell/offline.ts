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

/** How much of the application is on this device: whether all of it, how many files are missing, and their bytes on the way. */
export type ApplicationState = { complete: boolean; missing: number; bytes: number };

async function ask(kind: "complete?" | "fetch all"): Promise<ApplicationState | undefined> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration();
  const { active } = registration ? await navigator.serviceWorker.ready : {};
  if (!active) return undefined;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), 2000);
    port1.addEventListener("message", ({ data }) => {
      clearTimeout(timer);
      resolve(data as ApplicationState);
    });
    port1.start();
    active.postMessage({ kind }, [port2]);
  });
}

/** How much of the application this device keeps; nothing where it cannot keep any. */
export const askApplication = (): Promise<ApplicationState | undefined> => ask("complete?");

/** Fetches what is missing, one file after the other, and answers how far it came. */
export const fetchApplication = (): Promise<ApplicationState | undefined> => ask("fetch all");
