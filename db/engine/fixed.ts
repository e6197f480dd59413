import type { CompiledQuery } from "kysely";

import type { Handle } from "./connect.ts";

/**
 * Statements that are asked all the time and whose text is always the same: each is built and written as SQL once. `build` gets
 * placeholders for the values: it may hand them to the query, but neither look at them nor change them.
 */

/** Stands for a value that is known only when the statement runs. */
class Placeholder {
  constructor(readonly name: string) {}
}
const placeholders: object = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** A query, or SQL written by hand. */
type Statement<Row> = { compile(handle: Handle): CompiledQuery<Row> };

/** A statement that answers rows. */
export function fixedRows<Values extends object, Row>(build: (handle: Handle, values: Values) => Statement<Row>) {
  let written: CompiledQuery<Row> | undefined;
  return async (handle: Handle, values: Values): Promise<Row[]> => {
    written ??= build(handle, placeholders as Values).compile(handle);
    const parameters = written.parameters.map((value) => (value instanceof Placeholder ? values[value.name as keyof Values] : value));
    const { rows } = await handle.executeQuery<Row>({ ...written, parameters });
    return rows;
  };
}

/** A statement that answers one row or none. */
export function fixedRow<Values extends object, Row>(build: (handle: Handle, values: Values) => Statement<Row>) {
  const ask = fixedRows(build);
  return async (handle: Handle, values: Values): Promise<Row | undefined> => (await ask(handle, values))[0];
}
