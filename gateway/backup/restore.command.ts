import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { CannotFill } from "../../db/backup/backup.ts";
import { runCommand, withDatabase } from "../system/command.ts";
import { backupReachOf, objectsOf, readSettings } from "../env.ts";
import { openFiles } from "../storage/files.ts";
import { DamagedBackup } from "./damaged.ts";
import { openPlace } from "./places.ts";
import { checkBackup, restoreBackup } from "./restore.ts";
import { identitiesOf, type Opener, openWith } from "./seal.ts";

/** `npm run restore -- …`. Exit codes: 0 done, 1 not restored, 2 wrongly called. */

const usage = `npm run restore -- FOLDER [--identity FILE] [--sha256 HASH] [--check]

Restores a backup, from a folder or from s3://bucket/prefix/NAME, into an empty database and an empty file storage, which the settings name (DATABASE_URL, DATA_DIR,
S3_BUCKET …) as for npm start. Stop the product first. A damaged backup is refused before anything is changed.

--identity FILE the private key of an encrypted backup, a file as age-keygen writes it
--sha256 HASH   refuses a backup whose manifest has another SHA-256 than the one that npm run backup printed
--check         looks at every byte of the backup and changes nothing; needs no database. Without --identity an encrypted backup is
                compared with the hashes that were noted when it was made; with it, it is also opened`;

const say = (line: string): void => console.log(line);

/** @throws CannotFill when the file holds no private key */
async function readIdentity(path: string): Promise<Opener> {
  try {
    return openWith(identitiesOf(await readFile(path, "utf8")));
  } catch (error) {
    throw new CannotFill(`${path} cannot be used as the private key: ${(error as Error).message}.`);
  }
}

/** Whether anything may have been written. */
let hasBegun = false;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      identity: { type: "string" },
      sha256: { type: "string" },
      check: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help || positionals.length !== 1) {
    say(usage);
    return values.help ? 0 : 2;
  }
  const start = Date.now();
  // The backup is checked before a database is started or queried.
  const settings = readSettings();
  const open = values.identity === undefined ? undefined : await readIdentity(values.identity);
  const backup = await checkBackup(openPlace(positionals[0]!, backupReachOf(settings)), {
    expected: values.sha256,
    open,
    say,
  });
  if (values.check) return 0;
  return withDatabase(settings, async (db) => {
    const files = await openFiles(resolve(settings.DATA_DIR), objectsOf(settings));
    hasBegun = true;
    await restoreBackup({ db, files }, backup, say);
    say(`Restored in ${((Date.now() - start) / 1000).toFixed(1)} s`);
    return 0;
  });
}

await runCommand(run, usage, (error) => {
  const isUntouched = !hasBegun || error instanceof DamagedBackup || error instanceof CannotFill;
  return isUntouched
    ? `Nothing was restored: ${error.message}`
    : `The restore did not end, and can be repeated: ${error.message}`;
});
