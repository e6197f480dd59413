/** Rows of a page in every list. */
export const pageSize = 10;

/** The server counts no further than this. */
const farthest = 1_000_000;

/** Where the page that the URL asks for begins, as a list's `offset`. */
export function offsetOf(url: URLSearchParams, name = "page"): number {
  const page = Number(url.get(name));
  return Number.isSafeInteger(page) && page > 1 ? Math.min((page - 1) * pageSize, farthest) : 0;
}
