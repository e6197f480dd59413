import { randomBytes } from "node:crypto";

import { sql } from "kysely";
import { inject } from "vitest";

import { connect, type Connection, type Database } from "../../db/engine/connect.ts";

export type TestDatabase = {
  db: Database;
  connection: Exclude<Connection, string>;
  url: string;
  drop: () => Promise<void>;
};

/**
 * A separate database on the run's server: migrated and empty, with the demonstration country, or without any table.
 */
export async function testDatabase(
  from: "empty" | "demo" | "bare" = "empty",
  timeZone = "Africa/Lusaka",
): Promise<TestDatabase> {
  const { host, port, user } = inject("postgres");
  const database = `test_${randomBytes(6).toString("hex")}`;
  const admin = connect({ host, port, user, database: "postgres" }, "UTC", () => {}, 1);
  await sql`create database ${sql.ref(database)} template ${sql.ref(from === "bare" ? "template0" : `template_${from}`)} strategy file_copy`.execute(
    admin,
  );
  const connection = { host, port, user, database };
  const db = connect(connection, timeZone, () => {});
  return {
    db,
    connection,
    url: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    drop: async () => {
      await db.destroy();
      await sql`drop database ${sql.ref(database)} with (force)`.execute(admin);
      await admin.destroy();
    },
  };
}
