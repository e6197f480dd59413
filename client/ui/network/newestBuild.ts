/** Reloads a page with the newest build, after its own build was replaced on the server. */

/** The server no longer has this file: a newer build was installed while this page was open. */
export class FileGone extends Error {
  constructor(readonly address: string) {
    super(address);
  }
}

/** A file of the application could not be fetched just now. The next attempt may work. */
export class FileUnreachable extends Error {
  constructor(
    readonly address: string,
    cause: unknown,
  ) {
    super(`${address} could not be fetched`, { cause });
  }
}

/** Resolves when a worker that is being installed has fetched its build and taken over, or has failed to. */
const settled = (worker: ServiceWorker) =>
  new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => ["activated", "redundant"].includes(worker.state) && resolve());
  });

/**
 * Reloads the page. Before that, the service worker, which serves pages from its stored build, fetches the newest
 * build. This may take a while.
 */
export async function openNewest(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
    const coming = registration?.installing ?? registration?.waiting;
    if (coming) await settled(coming);
  } catch {
    // The page is reloaded with the stored build.
  }
  location.reload();
}

const openedFor = "opened-for";

/**
 * Reloads only once for a missing file. If the newest build does not have it either, the page would reload without end.
 */
export function openNewestFor(address: string): void {
  try {
    if (sessionStorage.getItem(openedFor) === address) return;
    sessionStorage.setItem(openedFor, address);
  } catch {
    return;
  }
  void openNewest();
}
