import { withThousands } from "../ui/numbers.ts";

const pageSize = 10;

/** A figure with its thousands set apart. */
export const formatCount = withThousands;

/** One page (from 1) of rows that came all at once. */
export const pageOf = <R>(rows: readonly R[], page: number): R[] => rows.slice((page - 1) * pageSize, page * pageSize);
