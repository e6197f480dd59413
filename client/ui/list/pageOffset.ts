/** The rows of a page, unless the list offers other numbers and its address asks for one. */
export const pageSize = 10;
/** The numbers that such lists offer. */
export const pageSizes = [10, 25, 100];
/** The most rows that one query may ask for. */
export const mostRows = 100;

/** The highest page, by the highest offset that the server accepts. */
const farthest = 1_000_000;

/** How many rows a page has, from the address (`rows`). */
export function rowsIn(url: URLSearchParams): number {
  const rows = Number(url.get("rows"));
  return pageSizes.includes(rows) ? rows : pageSize;
}

/** The page (from 1) that the URL asks for. */
export function pageIn(url: URLSearchParams, name = "page"): number {
  const page = Number(url.get(name));
  return Number.isSafeInteger(page) && page >= 1 && page <= farthest ? page : 1;
}

/** The `offset` of this page. */
export const offsetOf = (url: URLSearchParams, name = "page", size = pageSize): number =>
  Math.min((pageIn(url, name) - 1) * size, farthest);
