/** Addresses of TDB files. They lead to the gateway, not to screens. */
export const fileAddress = (uuid: string): string => `/api/v1/tdb/file/${uuid}`;
export const csvAddress = ({ start, end }: { start: string; end: string }): string => `/api/v1/tdb/meta/list/all/csv/${start}/${end}`;
