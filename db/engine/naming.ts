import { CamelCasePlugin, PostgresDialect, PostgresQueryCompiler } from "kysely";
import type pg from "pg";

/**
 * Names are snake_case in the database and camelCase in the code. They are converted where a statement is written and
 * where its rows are read. Kysely's plugin, whose rules are used here, copies each statement and each row instead. Names
 * inside a value (JSON) are not changed.
 */
class Names extends CamelCasePlugin {
  readonly inDatabase = (name: string): string => this.snakeCase(name);
  readonly inCode = (name: string): string => this.camelCase(name);
}
const names = new Names({ underscoreBetweenUppercaseLetters: true });
/** The database's name, for a long part of a statement that is written once as text. */
export const { inDatabase } = names;

/** Writes statements with the database's names. */
export class NamingCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(inDatabase(name));
  }
}

export class NamingDialect extends PostgresDialect {
  override createQueryCompiler(): NamingCompiler {
    return new NamingCompiler();
  }
}

type Answer = { command: string; rowCount: number | null; rows: Record<string, unknown>[] };

/** A result whose rows were read as arrays, with objects that have the code's names. */
export function withNames({ command, rowCount, rows, fields }: pg.QueryArrayResult<unknown[]>): Answer {
  const keys = fields.map(({ name }) => names.inCode(name));
  const named = rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < keys.length; index += 1) row[keys[index]!] = values[index];
    return row;
  });
  return { command, rowCount, rows: named };
}
