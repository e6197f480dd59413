import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { connect, type Connection } from "../db/connect.ts";
import { type EmbeddedDatabase, startEmbedded } from "../db/embedded.ts";
import { migrate } from "../db/migrate.ts";
import { rollUpsIn } from "../db/rollup.ts";
import { deleteEndedSessions } from "../db/session.ts";
import { findSetting, findToday } from "../db/system.ts";
import { hashPassword } from "./auth/password.ts";
import { isEmpty, loadDemo } from "./demo/demo.ts";
import { readSettings, type Settings } from "./env.ts";
import { createServer } from "./server.ts";

/** The product's entry: database, migrations, demonstration, server; and the way down again. */

const demonstrationAccounts = ["admin", "viewer", "assessor", "uploader", "manager", "plain", "newcomer"];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function failStart(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function start(settings: Settings): Promise<void> {
  const dataDir = resolve(settings.DATA_DIR);
  mkdirSync(dataDir, { recursive: true });
  let embedded: EmbeddedDatabase | undefined;
  let connection: Connection | undefined = settings.DATABASE_URL;
  if (!connection) {
    embedded = await startEmbedded(dataDir);
    connection = embedded.connection;
  }
  const db = connect(connection, settings.TIME_ZONE, (error) => process.stderr.write(`Database: ${error.message}\n`));

  let server: Awaited<ReturnType<typeof createServer>> | undefined;
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await server?.close();
    await db.destroy();
    await embedded?.stop();
    process.exit(code);
  };
  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));
  void embedded?.ended.then((reason) => {
    if (stopping) return;
    process.stderr.write(`The embedded database ended: ${reason}\n`);
    void stop(1);
  });

  try {
    await migrate(db);
    await rollUpsIn(db, settings.TIME_ZONE);
    if (settings.DEMO && (await isEmpty(db))) {
      say("Loading the demonstration country …");
      await loadDemo(db, { today: await findToday(db), dataDir, hashPassword });
    }
    await deleteEndedSessions(db);
    server = await createServer({
      db,
      timeZone: settings.TIME_ZONE,
      clientDir: join(dirname(fileURLToPath(import.meta.url)), "..", "client"),
      trustProxy: settings.TRUST_PROXY,
      logLevel: settings.LOG_LEVEL,
    });
    const address = await server.listen({ port: settings.PORT, host: settings.HOST });
    say(`Serving on ${address}`);
    if ((await findSetting(db, { name: "demonstration" })) === "1")
      say(`Demonstration accounts: ${demonstrationAccounts.join(", ")} (password demo-password; newcomer: temporary-1)`);
    say(`Data lies in ${dataDir}${embedded ? "" : " (files) and in the database of DATABASE_URL"}`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    await stop(1);
  }
}

try {
  await start(readSettings());
} catch (error) {
  failStart(error);
}
