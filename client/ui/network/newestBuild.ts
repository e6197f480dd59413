/** A page whose build was replaced on the server opens anew with the newest one. */

/** The server has no such file any more: a newer build was installed while this page was open. */
export class FileGone extends Error {
  constructor(readonly address: string) {
    super(address);
  }
}

/** Resolves when a worker that is being installed has fetched its build and taken over, or has failed to. */
const settled = (worker: ServiceWorker) =>
  new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => ["activated", "redundant"].includes(worker.state) && resolve());
  });

/** Opens the page anew. The service worker, which opens pages with the build that it keeps, first gets the newest one: that may take a while. */
export async function openNewest(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
    const coming = registration?.installing ?? registration?.waiting;
    if (coming) await settled(coming);
  } catch {
    // The page opens with the build that is here.
  }
  location.reload();
}

const openedFor = "opened-for";

/** Does so once for a missing file: where the newest build does not have it either, the page would open for ever. */
export function openNewestFor(address: string): void {
  try {
    if (sessionStorage.getItem(openedFor) === address) return;
    sessionStorage.setItem(openedFor, address);
  } catch {
    return;
  }
  void openNewest();
}
