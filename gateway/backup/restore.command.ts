import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { CannotFill } from "../../db/backup.ts";
import { openDatabase } from "../../db/open.ts";
import { objectsOf, readSettings } from "../env.ts";
import { openFiles } from "../storage/files.ts";
import { DamagedBackup } from "./parts.ts";
import { checkBackup, restoreBackup } from "./restore.ts";

/** `npm run restore -- …`. Exit codes: 0 done, 1 not restored, 2 wrongly called. */

const usage = `npm run restore -- FOLDER [--sha256 HASH] [--check]

Restores a backup into an empty database and an empty file storage, which the settings name (DATABASE_URL, DATA_DIR,
S3_BUCKET …) as for npm start. Stop the product first. A damaged backup is refused before anything is changed.

--sha256 HASH   refuses a backup whose manifest has another SHA-256 than the one that npm run backup printed
--check         looks at every byte of the backup and changes nothing; needs no database`;

const say = (line: string): void => console.log(line);

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sha256: { type: "string" }, check: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  const folder = resolve(positionals[0] ?? "");
  if (values.help || positionals.length !== 1) {
    say(usage);
    return values.help ? 0 : 2;
  }
  const start = Date.now();
  // Before a database is started or asked for anything.
  const backup = await checkBackup(folder, { expected: values.sha256, say });
  if (values.check) return 0;
  const settings = readSettings();
  const { db, close } = await openDatabase(settings, (error) => console.error(error.message), { upToDate: false });
  try {
    const files = await openFiles(resolve(settings.DATA_DIR), objectsOf(settings));
    await restoreBackup({ db, files }, folder, backup, say);
    say(`Restored in ${((Date.now() - start) / 1000).toFixed(1)} s`);
    return 0;
  } finally {
    await close();
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  const { code, message } = error as Error & { code?: string };
  const untouched = error instanceof DamagedBackup || error instanceof CannotFill;
  console.error(untouched ? `Nothing was restored: ${message}` : `The restore did not end, and can be repeated: ${message}`);
  process.exitCode = code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1;
}
