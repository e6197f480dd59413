import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import type { TestProject } from "vitest/node";

import { connect } from "../../db/engine/connect.ts";
import { disposable, startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { migrate } from "../../db/migrate.ts";
import { findToday } from "../../db/system/system.ts";
import { loadDemo } from "../../gateway/demo/demo.ts";
import { hash } from "./argon2.ts";

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
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => name === "pure")) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "platform-test-"));
  const postgres = await startEmbedded(folder, { ...disposable, max_connections: "400" });
  const { host, port, user, database } = postgres.connection;
  const open = (name: string, timeZone: string) => connect({ host, port, user, database: name }, timeZone, () => {});
  const admin = open(database, "UTC");
  await sql`create database template_empty`.execute(admin);
  const empty = open("template_empty", "Africa/Lusaka");
  await migrate(empty);
  await empty.destroy();
  await sql`create database template_demo template template_empty`.execute(admin);
  const demo = open("template_demo", "Africa/Lusaka");
  await loadDemo(demo, { today: await findToday(demo), dataDir: folder, hashPassword: hash });
  // So the copies need not check again that each row is visible, nor gather statistics.
  await sql`vacuum (freeze, analyze)`.execute(demo);
  await demo.destroy();
  await admin.destroy();
  project.provide("postgres", { host, port, user });
  project.provide("demoFiles", folder);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
