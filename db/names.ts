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

/** Rows, which came as lists of values, under our names. What lies within a value (JSON) stays as it is. */
export function namedRows({ fields, rows }: { fields: readonly { name: string }[]; rows: readonly unknown[][] }): Record<string, unknown>[] {
  const columns = fields.map(({ name }) => names.ours(name));
  // Copies of one object share its layout, which makes them cheap.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, null]));
  return rows.map((values) => {
    const row = { ...blank };
    for (const [index, column] of columns.entries()) row[column] = values[index];
    return row;
  });
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
