import { type RawBuilder, sql, type SqlBool } from "kysely";

/**
 * Whether figures count a row of `assessment` or `tdb`, because nobody has set it aside and it is not held; `row` is
 * its name in the query.
 */
export const isCounted = (row: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${row}.setAsideAt`)} is null and ${sql.ref(`${row}.held`)} is null)`;
