import { CamelCasePlugin, PostgresDialect, PostgresQueryCompiler } from "kysely";

/**
 * Names are snake_case in the database and camelCase here. Kysely's plugin rewrites each query's whole tree before it is written
 * as SQL, and each row after it was read; here names are converted while the SQL is written and once for the rows of a result.
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

/** By the columns' names: as many as there are statements that select differently. */
const makers = new Map<string, MakeRow>();

/** Code that writes a row as one object literal: filling an object column by column takes some twenty times as long. */
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

/** Rows, which came as lists of values, under our names. What lies within a value (JSON) stays as it is. */
export function namedRows({ fields, rows }: { fields: readonly { name: string }[]; rows: readonly unknown[][] }): Record<string, unknown>[] {
  const make = makerOf(fields);
  return rows.map((values) => make(values));
}

export class NamingCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.inDatabase(identifier));
  }
}

/** PostgreSQL with our names turned into its own. The rows of its pool are to be given by `namedRows`. */
export class NamingDialect extends PostgresDialect {
  override createQueryCompiler(): NamingCompiler {
    return new NamingCompiler();
  }
}
