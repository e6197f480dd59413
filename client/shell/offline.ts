import { readAhead, whenIdle } from "../ui/network/idle.ts";

/** The application on this device: a service worker (client/public/sw.js) keeps its files, so that it opens without network. */

const worker = "/sw.js";
const settleMs = 2000;
/** How long the line must be quiet before files are fetched ahead. */
const quietMs = 60_000;

/** Whether this page can be kept at all: only over a secure connection, and not in development, whose files change. */
const isKept = (): boolean => import.meta.env.PROD && "serviceWorker" in navigator;

/** Sends the worker a message without an answer. */
const tell = (message: { kind: "keep"; files: string[] } | { kind: "fetch all" }) =>
  navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(message, []));

/** The files of ours that the page has loaded so far. */
const filesInUse = (): string[] =>
  performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);

/** Lets the application open without network from the first visit on, and fetches the rest of it when the line has been quiet. */
export function keepApplication(): void {
  if (!isKept()) return;
  performance.setResourceTimingBufferSize(1000);
  // Without it the application needs the network, as any page does.
  whenIdle(async () => {
    const { active } = await navigator.serviceWorker.register(worker);
    if (!active) await navigator.serviceWorker.ready;
  });
  let telling: ReturnType<typeof setTimeout> | undefined;
  let completing: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(telling);
    clearTimeout(completing);
    telling = setTimeout(() => {
      void tell({ kind: "keep", files: filesInUse() });
    }, settleMs);
    completing = setTimeout(() => readAhead(() => tell({ kind: "fetch all" })), quietMs);
  };
  new PerformanceObserver(heard).observe({ type: "resource", buffered: true });
}

/** How much of the application is on this device: whether all of it, how many files are missing, and their bytes on the way. */
export type ApplicationState = { complete: boolean; missing: number; bytes: number };

async function ask(kind: "complete?" | "fetch all", patienceMs: number): Promise<ApplicationState | undefined> {
  const active = isKept() && (await navigator.serviceWorker.getRegistration())?.active;
  if (!active) return undefined;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    port1.addEventListener("message", ({ data }) => {
      clearTimeout(timer);
      resolve(data as ApplicationState);
    });
    port1.start();
    active.postMessage({ kind }, [port2]);
  });
}

/** How much of the application this device keeps; nothing where it cannot keep any, or does not say so within two seconds. */
export const askApplication = (): Promise<ApplicationState | undefined> => ask("complete?", 2000);

/** Fetches what is missing, one file after the other, and answers how far it came; a worker works for five minutes at most. */
export const fetchApplication = (): Promise<ApplicationState | undefined> => ask("fetch all", 300_000);
