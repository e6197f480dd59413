/** The most rows of one statement. Their values must stay below PostgreSQL's limit of 65,535 parameters. */
const most = 1000;

/** Rows in batches, each small enough for one statement. */
export function* batchesOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most);
}
