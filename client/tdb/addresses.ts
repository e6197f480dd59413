/** Addresses of TDB files. They lead to the gateway, not to screens. */
export const fileAddress = (uuid: string): string => `/api/v1/tdb/file/${uuid}`;

/** The CSV file of the TDBs of these days that match. */
export function csvAddress({ start, end }: { start: string; end: string }, match: Record<string, string> = {}): string {
  const query = new URLSearchParams(match).toString();
  return `/api/v1/tdb/meta/list/all/csv/${start}/${end}${query ? `?${query}` : ""}`;
}
