import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { printSchema } from "graphql";

import { connect } from "../../db/engine/connect.ts";
import { disposable, startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { describeDerived } from "../../db/derived/describe.ts";
import { migrate } from "../../db/migrate.ts";
import { schema } from "../schema.ts";
import { createServer } from "../http/server.ts";

/**
 * Regenerates the committed contracts: db/schema.ts from the migrations, docs/derived.md from db/derived,
 * schema.graphql and gateway/openapi.json from the code. With a folder as argument they are written there instead, so
 * that the test run can compare them.
 */
const folder = process.argv[2] ?? ".";
const dataDir = mkdtempSync(join(tmpdir(), "contracts-"));
const embedded = await startEmbedded(dataDir, disposable);
try {
  mkdirSync(join(folder, "db"), { recursive: true });
  mkdirSync(join(folder, "gateway"), { recursive: true });
  const { host, port, user, database } = embedded.connection;
  const db = connect(embedded.connection, "UTC", () => {});
  await migrate(db);
  execFileSync(
    process.execPath,
    [
      join("node_modules", "kysely-codegen", "dist", "cli", "bin.js"),
      ...["--dialect", "postgres", "--camel-case", "--date-parser", "string", "--type-mapping", '{"int8":"number"}'],
      ...["--exclude-pattern", "kysely_*", "--log-level", "error", "--out-file", join(folder, "db", "schema.ts")],
      ...["--url", `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`],
    ],
    { stdio: "inherit" },
  );
  mkdirSync(join(folder, "docs"), { recursive: true });
  writeFileSync(join(folder, "docs", "derived.md"), describeDerived());
  writeFileSync(join(folder, "schema.graphql"), `${printSchema(schema)}\n`);
  const server = await createServer({ db, dataDir, timeZone: "UTC" });
  await server.ready();
  const { body } = await server.inject({ url: "/api/v1/openapi.json" });
  // A server puts its own address there.
  const description = { ...(JSON.parse(body) as object), servers: [{ url: "/" }] };
  writeFileSync(join(folder, "gateway", "openapi.json"), `${JSON.stringify(description, null, 2)}\n`);
  await server.close();
  await db.destroy();
} finally {
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
