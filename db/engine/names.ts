import { CamelCasePlugin, type Dialect, type Driver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";

/**
 * Names are snake_case in the database and camelCase in the code. Kysely's plugin rewrites each query's tree before it is compiled, and each row after
 * it was read. This is faster: names are converted while the SQL is compiled, and once for all rows of a result.
 */
class Names extends CamelCasePlugin {
  constructor() {
    super({ underscoreBetweenUppercaseLetters: true });
  }
  inDatabase(name: string): string {
    return this.snakeCase(name);
  }
  ours(name: string): string {
    return this.camelCase(name);
  }
}

const names = new Names();

type MakeRow = (values: readonly unknown[]) => Record<string, unknown>;

/** The row makers by their list of column names. */
const makers = new Map<string, MakeRow>();

/** Generates a function that makes a row as one object literal. Filling an object column by column takes about twenty times as long. */
function makerOf(fields: readonly { name: string }[]): MakeRow {
  const key = fields.map(({ name }) => name).join();
  let make = makers.get(key);
  if (!make) {
    const properties = fields.map(({ name }, index) => `${JSON.stringify(names.ours(name))}: values[${index}]`);
    // oxlint-disable-next-line no-implied-eval -- made of nothing but the names of our own statements' columns
    make = new Function("values", `return { ${properties.join(", ")} };`) as MakeRow;
    makers.set(key, make);
  }
  return make;
}

/** Makes objects with camelCase names from rows that are lists of values. Names inside a value (JSON) are not changed. */
export function namedRows({ fields, rows }: { fields: readonly { name: string }[]; rows: readonly unknown[][] }): Record<string, unknown>[] {
  const make = makerOf(fields);
  return rows.map((values) => make(values));
}

export class NamingCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.inDatabase(identifier));
  }
}

/** A PostgreSQL dialect that converts names in SQL. The driver must convert the rows with `namedRows`. */
export const namingDialect = (driver: Driver): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new NamingCompiler(),
});
