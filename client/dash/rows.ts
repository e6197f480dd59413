import { withThousands } from "../ui/text/numbers.ts";

const pageSize = 10;

/** A figure with its thousands set apart. */
export const formatCount = withThousands;

/** One page (from 1) of rows that came all at once. */
export const pageOf = <R>(rows: readonly R[], page: number): R[] => rows.slice((page - 1) * pageSize, page * pageSize);

/** Why some figures of TDBs are not shown to who may not read TDBs. */
export const smallGroupsNote =
  "Not shown: fewer than 3 facilities, or so few that they could be worked out; a partner's figures; days that are not one calendar month. " +
  "Who may upload TDBs sees them all.";
