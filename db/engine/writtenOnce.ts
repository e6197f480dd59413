import type { Compilable, CompiledQuery, RawBuilder } from "kysely";

import type { Handle } from "./connect.ts";

/** Stands for a value while a statement is written. */
class Place {
  constructor(readonly name: string) {}
}

/**
 * A statement whose text is the same for all values: it is built and written at its first use only, which takes longer
 * than all else that this process does for a short one. `build` may use each value as a parameter, and for nothing else.
 *
 * @throws TypeError if other values are given than at the first use: they would not be stored
 */
export function writtenOnce<Values extends object, Row>(
  build: (handle: Handle, values: Values) => Compilable<Row> | RawBuilder<Row>,
): (handle: Handle, values: Values) => Promise<Row[]> {
  let written: CompiledQuery<Row> | undefined;
  let names: string[] | undefined;
  return async (handle, values) => {
    // The cast: only the builder sees the places.
    const places = () => Object.fromEntries(Object.keys(values).map((name) => [name, new Place(name)])) as Values;
    written ??= build(handle, places()).compile(handle);
    names ??= Object.keys(values);
    if (Object.keys(values).length !== names.length || names.some((name) => !(name in values)))
      throw new TypeError(`Other values than ${names.join(", ")}.`);
    const parameters = written.parameters.map((value) =>
      value instanceof Place ? values[value.name as keyof Values] : value,
    );
    return (await handle.executeQuery<Row>({ ...written, parameters })).rows;
  };
}
