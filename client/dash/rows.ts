const pageSize = 10;

/** One page (counted from 1) of rows that were all fetched together. */
export const pageOf = <R>(rows: readonly R[], page: number): R[] => rows.slice((page - 1) * pageSize, page * pageSize);

/** Tells people who may not read TDBs why some figures are not shown. */
export const smallGroupsNote =
  "Not shown: fewer than 3 facilities, or so few that they could be worked out; a partner's figures; days that are not one calendar month. " +
  "Who may upload TDBs sees them all.";
