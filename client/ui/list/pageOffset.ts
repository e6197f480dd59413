/** Rows of a page, unless a list offers more and its address asks for them. */
export const pageSize = 10;
/** What lists with a choice offer. */
export const pageSizes = [10, 25, 100];
/** The most rows that one question may ask for. */
export const mostRows = 100;

/** The server counts no further than this. */
const farthest = 1_000_000;

/** How many rows a page has, as the address says (`rows`). */
export function rowsIn(url: URLSearchParams): number {
  const rows = Number(url.get("rows"));
  return pageSizes.includes(rows) ? rows : pageSize;
}

/** Where the page that the URL asks for begins, as a list's `offset`. */
export function offsetOf(url: URLSearchParams, name = "page", size = pageSize): number {
  const page = Number(url.get(name));
  return Number.isSafeInteger(page) && page > 1 ? Math.min((page - 1) * size, farthest) : 0;
}
