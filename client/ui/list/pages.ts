/** Pages without a button, before or after those around the current one. */
export type Gap = "earlier" | "later";

/** The pages that get a button: the first, the last and those around the current one, with gaps between. */
export function pagesToShow(current: number, last: number): (number | Gap)[] {
  const wanted = [...new Set([1, current - 1, current, current + 1, last])].filter((page) => page >= 1 && page <= last);
  return wanted.flatMap((page, index) => {
    const before = wanted[index - 1];
    if (before === undefined || page === before + 1) return [page];
    if (page === before + 2) return [before + 1, page];
    return [page <= current ? ("earlier" as const) : ("later" as const), page];
  });
}
