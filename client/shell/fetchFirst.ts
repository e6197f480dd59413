import { heardFetch } from "../ui/network/heardFetch.ts";

/*
 * A browser remembers an import that failed for as long as the page lives, and answers the next one without asking the server
 * (https://github.com/whatwg/html/issues/6768). On a line that dies a screen would be lost until the page is loaded again. So the
 * files of a part are fetched first: that may fail and be tried again, and the import finds them in the browser's cache.
 */

const arrivals = new Map<string, Promise<unknown>>();

async function fetchScript(address: string): Promise<void> {
  const response = await heardFetch(address);
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  await response.arrayBuffer();
}

function applyStyle(address: string): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error(`${address} could not be fetched`));
    });
    document.head.append(link);
  });
}

/** Resolves when a file is there; the page's own files are fetched by the page. */
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
 * What the build puts around each `import()` in place of Vite's own helper (client/build/fetchFirst.ts).
 * @param paths the files that the import needs, with its own, from the server's root.
 * @throws what a file that could not be fetched said; the next call fetches it again.
 */
export async function fetchFirst<File>(load: () => Promise<File>, paths: readonly string[] = []): Promise<File> {
  await Promise.all(paths.map((path) => arrival(`/${path}`)));
  return load();
}
