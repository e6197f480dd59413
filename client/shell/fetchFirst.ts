import { heardFetch } from "../ui/network/heardFetch.ts";
import { FileGone, FileUnreachable } from "../ui/network/newestBuild.ts";

/*
 * A browser remembers a failed import until the page is reloaded, and answers the next import of it without asking the
 * server (https://github.com/whatwg/html/issues/6768). After a short loss of the network a screen could not be opened
 * until then. So the files of an import are fetched first. A failed fetch can be repeated, and the import then finds
 * the files in the browser's cache.
 */

const arrivals = new Map<string, Promise<unknown>>();

async function fetchScript(address: string): Promise<void> {
  try {
    const response = await heardFetch(address);
    if (response.status === 404) throw new FileGone(address);
    if (!response.ok) throw new Error(`answered with ${response.status}`);
    await response.arrayBuffer();
  } catch (error) {
    throw error instanceof FileGone ? error : new FileUnreachable(address, error);
  }
}

function applyStyle(address: string): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new FileUnreachable(address, undefined));
    });
    document.head.append(link);
  });
}

/** Resolves when a file is in the cache. Files that the page itself contains are already there. */
function arrival(address: string): Promise<unknown> {
  const known = arrivals.get(address);
  if (known) return known;
  const isOfPage = document.querySelector(`link[href="${address}"], script[src="${address}"]`) !== null;
  const made = isOfPage ? Promise.resolve() : address.endsWith(".css") ? applyStyle(address) : fetchScript(address);
  arrivals.set(address, made);
  made.catch(() => arrivals.delete(address));
  return made;
}

/**
 * The build wraps each `import()` in this function, in place of Vite's own helper (vite.config.ts).
 * @param paths the imported file and the files that it needs, from the server's root.
 * @throws FileGone or FileUnreachable. The next call fetches the file again.
 */
export async function fetchFirst<File>(load: () => Promise<File>, paths: readonly string[] = []): Promise<File> {
  const outcomes = await Promise.allSettled(paths.map((path) => arrival(`/${path}`)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  // A style sheet fails without a reason, so the error of a script comes first.
  if (failures.length > 0) throw failures.find((error) => error instanceof FileGone) ?? failures[0];
  return load();
}
