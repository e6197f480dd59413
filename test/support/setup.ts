import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import type { TestProject } from "vitest/node";

import { connect } from "../../db/engine/connect.ts";
import { startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { migrate } from "../../db/migrate.ts";
import { findToday } from "../../db/system.ts";
import { hashPassword } from "../../gateway/auth/password.ts";
import { loadDemo } from "../../gateway/demo/demo.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string };
    demoFiles: string;
  }
}

/**
 * One real PostgreSQL for the whole run, with two databases to copy from: an empty migrated one and one that holds the
 * demonstration country.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "platform-test-"));
  const postgres = await startEmbedded(folder);
  const { host, port, user, database } = postgres.connection;
  const admin = connect({ host, port, user, database }, "UTC", () => {});
  for (const name of ["template_empty", "template_demo"]) {
    await sql`create database ${sql.ref(name)}`.execute(admin);
    const db = connect({ host, port, user, database: name }, "Africa/Lusaka", () => {});
    await migrate(db);
    if (name === "template_demo") await loadDemo(db, { today: await findToday(db), dataDir: folder, hashPassword });
    await db.destroy();
  }
  await admin.destroy();
  project.provide("postgres", { host, port, user });
  project.provide("demoFiles", folder);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
