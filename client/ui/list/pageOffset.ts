/** The rows of a page, unless the list offers other numbers and its address asks for one. */
export const pageSize = 10;
/** The numbers that such lists offer. */
export const pageSizes = [10, 25, 100];
/** The most rows that one query may ask for. */
export const mostRows = 100;

/** The highest offset that the server accepts. */
const farthest = 1_000_000;

/** How many rows a page has, from the address (`rows`). */
export function rowsIn(url: URLSearchParams): number {
  const rows = Number(url.get("rows"));
  return pageSizes.includes(rows) ? rows : pageSize;
}

/** The `offset` of the page that the URL asks for. */
export function offsetOf(url: URLSearchParams, name = "page", size = pageSize): number {
  const page = Number(url.get(name));
  return Number.isSafeInteger(page) && page > 1 ? Math.min((page - 1) * size, farthest) : 0;
}
