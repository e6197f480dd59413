import type { CompiledQuery } from "kysely";

import type { Handle } from "./connect.ts";
import { withNext } from "./prepared.ts";

/**
 * Frequent statements whose text is always the same: each is built and compiled to SQL once. `build` gets placeholders for the values, and may only
 * pass them on to the query unchanged. If it reads a value, or checks whether there is one, the first use of the statement fails: its text would be
 * right only for some values.
 */

/** Stands for a value that is known only when the statement runs. */
class Placeholder {
  constructor(readonly name: string) {}
}

/** The text of a fixed statement depends on a value. */
export class InspectedValue extends Error {
  override name = "InspectedValue";
}

/** Properties that Kysely reads of each value, to distinguish it from SQL and from a list of values. A placeholder does not have them, like a text or a number. */
const askedByKysely = new Set<string | symbol>(["toOperationNode", "isOperationNodeSource", "expressionType", "expression"]);

const inspected = (name: string, how: string): never => {
  throw new InspectedValue(`The value "${name}" of a fixed statement is not known when its text is written, and the builder ${how}.`);
};

const placeholderOf = (name: string): object =>
  new Proxy(new Placeholder(name), {
    get: (_, key) => (askedByKysely.has(key) ? undefined : inspected(name, `reads its "${String(key)}"`)),
    has: (_, key) => (askedByKysely.has(key) ? false : inspected(name, `looks for its "${String(key)}"`)),
    ownKeys: () => inspected(name, "lists its keys"),
    getOwnPropertyDescriptor: (_, key) => inspected(name, `looks at its "${String(key)}"`),
    set: (_, key) => inspected(name, `sets its "${String(key)}"`),
  });

/** The placeholders of a statement, and a function that names the value that a parameter stands for. */
function placeholders(): { values: object; nameOf: (parameter: unknown) => string | undefined } {
  const names = new Map<unknown, string>();
  const values = new Proxy(
    {},
    {
      get: (_, key) => {
        const placeholder = placeholderOf(String(key));
        names.set(placeholder, String(key));
        return placeholder;
      },
      ownKeys: () => inspected("all", "lists which values there are"),
    },
  );
  return { values, nameOf: (parameter) => names.get(parameter) };
}

/** Values that are all null. */
const absent: object = new Proxy({}, { get: () => null });

/** A query, or SQL written by hand. */
type Statement<Row> = { compile(handle: Handle): CompiledQuery<Row> };

/** Builds and compiles a statement at its first use. @returns a function that makes the query for a handle and the values of a call */
function fixed<Values extends object, Row>(build: (handle: Handle, values: Values) => Statement<Row>) {
  let written: { query: CompiledQuery<Row>; names: (string | undefined)[] } | undefined;
  const write = (handle: Handle) => {
    const { values, nameOf } = placeholders();
    const query = build(handle, values as Values).compile(handle);
    // A placeholder cannot detect `value == null` or `value ? a : b`. But then the text differs if all values are null.
    if (build(handle, absent as Values).compile(handle).sql !== query.sql) throw new InspectedValue("The text of a fixed statement depends on whether a value is there.");
    return { query, names: query.parameters.map(nameOf) };
  };
  return (handle: Handle, values: Values): CompiledQuery<Row> => {
    const { query, names } = (written ??= write(handle));
    const parameters = query.parameters.map((value, place) => (names[place] === undefined ? value : values[names[place] as keyof Values]));
    return { ...query, parameters };
  };
}

/** Makes a function that runs a fixed statement and returns its rows. @throws InspectedValue at its first call, if the text depends on a value */
export function fixedRows<Values extends object, Row>(build: (handle: Handle, values: Values) => Statement<Row>) {
  const make = fixed(build);
  return async (handle: Handle, values: Values): Promise<Row[]> => (await handle.executeQuery(make(handle, values))).rows;
}

/** The same for a statement that returns one row or none. */
export function fixedRow<Values extends object, Row>(build: (handle: Handle, values: Values) => Statement<Row>) {
  const ask = fixedRows(build);
  return async (handle: Handle, values: Values): Promise<Row | undefined> => (await ask(handle, values))[0];
}

/** The same for a statement whose result is not needed. It is sent by `withNext`. */
export function fixedWrite<Values extends object>(build: (handle: Handle, values: Values) => Statement<unknown>) {
  const make = fixed(build);
  return (handle: Handle, values: Values): Promise<void> => withNext(handle, { compile: () => make(handle, values) });
}
