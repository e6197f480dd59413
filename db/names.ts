import { CamelCasePlugin, PostgresDialect, PostgresQueryCompiler, type RootOperationNode } from "kysely";

/**
 * Names are snake_case in the database and camelCase here. Kysely's plugin rewrites each query's whole tree for that before it is
 * written as SQL; here names are converted while it is written, which costs nothing beside it.
 */
class Names extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true, underscoreBetweenUppercaseLetters: true });
  }
  override transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    return node;
  }
  inDatabase(name: string): string {
    return this.snakeCase(name);
  }
}

/** Turns the rows' names into ours. */
export const names = new Names();

class NamingCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.inDatabase(identifier));
  }
}

/** PostgreSQL with our names turned into its own. To be used with `names`. */
export class NamingDialect extends PostgresDialect {
  override createQueryCompiler(): NamingCompiler {
    return new NamingCompiler();
  }
}
