/** The page numbers worth a button: the first, the last and those around the current one, with gaps between. */
export function pagesToShow(current: number, last: number): (number | "gap")[] {
  const wanted = [...new Set([1, current - 1, current, current + 1, last])].filter((page) => page >= 1 && page <= last);
  return wanted.flatMap((page, index) => {
    const before = wanted[index - 1];
    if (before === undefined || page === before + 1) return [page];
    return page === before + 2 ? [before + 1, page] : ["gap" as const, page];
  });
}
