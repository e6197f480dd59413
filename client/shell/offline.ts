import { readAhead, whenIdle } from "../ui/network/idle.ts";

/**
 * Keeps the application on this device: a service worker (client/public/sw.js) stores its files, so that it opens
 * without network.
 */

const worker = "/sw.js";
const settleMs = 2000;
/** How long the network must be idle before the files that a visit does not need are fetched. */
const quietMs = 60_000;

/** Whether this page can be stored: only over a secure connection, and not in development, where files change. */
const isKept = (): boolean => import.meta.env.PROD && "serviceWorker" in navigator;

/** Sends the worker a message that it does not answer. */
const post = (message: { kind: "keep"; files: string[] } | { kind: "fetch all" }) =>
  navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(message, []));

/** The application's files that the page has loaded so far. */
const filesInUse = (): string[] =>
  performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);

/**
 * The worker, once it has the files that open the application. Throws if they cannot be fetched, or the browser has no
 * room.
 */
async function readyWorker(): Promise<ServiceWorker> {
  const registration = await navigator.serviceWorker.register(worker);
  const { active, waiting, installing } = registration;
  if (active) return active;
  const coming = (waiting ?? installing)!;
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (coming.state === "activated") resolve();
      if (coming.state === "redundant") reject(new Error("The application could not be stored."));
    };
    coming.addEventListener("statechange", look);
    look();
  });
  return coming;
}

/**
 * Makes the application open without network after the first visit, and fetches the remaining files when the network is
 * idle.
 */
export function keepApplication(): void {
  if (!isKept()) return;
  performance.setResourceTimingBufferSize(1000);
  // Without the worker the application needs the network, like any page.
  whenIdle(readyWorker);
  let keeping: ReturnType<typeof setTimeout> | undefined;
  let completing: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(keeping);
    clearTimeout(completing);
    keeping = setTimeout(() => {
      void post({ kind: "keep", files: filesInUse() });
    }, settleMs);
    completing = setTimeout(() => readAhead(() => post({ kind: "fetch all" })), quietMs);
  };
  new PerformanceObserver(heard).observe({ type: "resource", buffered: true });
}

/**
 * How much of the application is on this device: whether it is complete, how many files are missing, and their size as
 * transferred.
 */
export type ApplicationState = { complete: boolean; missing: number; bytes: number };

type Question = "complete?" | "fetch visit" | "fetch all";

async function ask(kind: Question, active: ServiceWorker, patienceMs: number): Promise<ApplicationState | undefined> {
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

/**
 * How much of the application this device stores. Undefined if it cannot store any, or if the worker does not answer
 * within two seconds.
 */
export async function askApplication(): Promise<ApplicationState | undefined> {
  const active = isKept() && (await navigator.serviceWorker.getRegistration())?.active;
  return active ? ask("complete?", active, 2000) : undefined;
}

/** Browsers stop a worker after five minutes. */
const longestMs = 300_000;

async function fetchFiles(kind: "fetch visit" | "fetch all"): Promise<ApplicationState | undefined> {
  const active = isKept() && (await readyWorker().catch(() => undefined));
  return active ? ask(kind, active, longestMs) : undefined;
}

/**
 * Fetches the missing files one after the other and returns the progress. Undefined if this device cannot store the
 * application.
 */
export const fetchApplication = (): Promise<ApplicationState | undefined> => fetchFiles("fetch all");

/** Stores the files of a visit. Returns whether all are on this device. */
export const storeVisitFiles = async (): Promise<boolean> => (await fetchFiles("fetch visit"))?.complete === true;
