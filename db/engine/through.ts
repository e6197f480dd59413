import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
} from "kysely";

import type { Database } from "./connect.ts";
import { copierOf, copyBy } from "./copy.ts";
import type { DB } from "../schema.ts";

/** A read-only database: statements are compiled as by `like` and run by `read`. */
export function databaseThrough(read: DatabaseConnection["executeQuery"], like: Database): Database {
  const executor = like.getExecutor();
  const refuse = () => Promise.reject(new Error("A read-only database has no transactions and no streams"));
  const connection: DatabaseConnection = {
    executeQuery: read,
    streamQuery: () => {
      throw new Error("A read-only database has no streams");
    },
  };
  const nothing = () => Promise.resolve();
  const driver: Driver = {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: nothing,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: nothing,
  };
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => ({ compileQuery: (node, queryId) => executor.compileQuery(node, queryId) }),
    },
  });
}

/**
 * The kinds of heavy statements: a query ("question"), which PostgreSQL answers as fast as it can, or an export, which
 * is as slow as its receiver.
 */
export type HeavyKind = "question" | "export";

/** A read-only database in which each statement runs by `inTurn`, which decides when it may start. */
export function databaseInTurns(
  source: Database,
  inTurn: <Result>(kind: HeavyKind, work: () => Promise<Result>) => Promise<Result>,
): Database {
  const reads = databaseThrough(
    <Row>(query: CompiledQuery) => inTurn("question", () => source.executeQuery<Row>(query)),
    source,
  );
  copyBy(reads, (text, take, signal) => inTurn("export", () => copierOf(source)(text, take, signal)));
  return reads;
}
