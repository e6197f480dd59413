import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { findStandbyLag } from "../../db/system/doctor.ts";
import { connect } from "../../db/engine/connect.ts";
import { openDatabase } from "../../db/open.ts";
import { reasonOf } from "../backup/damaged.ts";
import { openVault } from "../backup/places.ts";
import { backupReachOf, objectsOf, readSettings, type Settings } from "../env.ts";
import { openFiles } from "../storage/files.ts";
import { examineAddress } from "./address.ts";
import { examine, type Finding, worstOf } from "./doctor.ts";

/** `npm run doctor -- …`. Exit codes: 0 all is well, 1 warnings, 2 something failed, 3 wrongly called. */

const usage = `npm run doctor -- [--address https://platform.example] [--json]

Checks settings, database, storage, backup and replica as npm start finds them, and prints what is wrong, each with the line that mends it.
Changes nothing.

--address   checks the public address too: certificate, proxy, what outsiders see
--json      prints the findings as JSON

Ends with 0 when all is well, 1 with warnings only, 2 when something failed.`;

const marks = { ok: "ok     ", warning: "WARNING", failed: "FAILED " };

async function examineReplica({
  REPLICA_DATABASE_URL: address,
  REPLICA_LAG_SECONDS: most,
  TIME_ZONE,
}: Settings): Promise<Finding[]> {
  if (!address) return [];
  const replica = connect(address, TIME_ZONE, () => {}, 1);
  try {
    const lag = await findStandbyLag(replica);
    const check = "replica";
    if (lag === null)
      return [
        {
          check,
          state: "failed",
          found: "The server of REPLICA_DATABASE_URL is no standby.",
          remedy: "unset REPLICA_DATABASE_URL, or name a streaming standby",
        },
      ];
    const found = `the replica is ${lag.toFixed(1)} s behind`;
    return [
      lag > most
        ? { check, state: "warning", found, remedy: "select * from pg_stat_replication;  -- on the primary" }
        : { check, state: "ok", found },
    ];
  } catch (error) {
    return [
      {
        check: "replica",
        state: "failed",
        found: `The replica does not answer: ${(error as Error).message}`,
        remedy: "start it, or unset REPLICA_DATABASE_URL",
      },
    ];
  } finally {
    await replica.destroy();
  }
}

/** Checks the place of scheduled backups, by writing, reading and removing a file. */
async function examineVault(settings: Settings): Promise<Finding[]> {
  if (settings.BACKUP_DIR === undefined) return [];
  const { probe, shown } = openVault(settings.BACKUP_DIR, backupReachOf(settings));
  try {
    await probe();
    return [{ check: "backup storage", state: "ok", found: `backups can be written to ${shown}, read and removed` }];
  } catch (error) {
    return [
      {
        check: "backup storage",
        state: "failed",
        found: `Backups cannot be written to ${shown}: ${reasonOf(error as Error)}`,
        remedy: "check BACKUP_DIR and the BACKUP_S3 settings",
      },
    ];
  }
}

async function examineAll(address: URL | undefined): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = readSettings();
  } catch (error) {
    return (error as Error).message.split("\n").map((found) => ({ check: "settings", state: "failed", found }));
  }
  const outside = address ? await examineAddress(address) : [];
  const replica = await examineReplica(settings);
  const dataDir = resolve(settings.DATA_DIR);
  try {
    const { db, close } = await openDatabase(settings, () => {}, { upToDate: false });
    try {
      return [
        { check: "settings", state: "ok", found: "all settings can be read" },
        ...(await examine({ db, files: await openFiles(dataDir, objectsOf(settings)), timeZone: settings.TIME_ZONE })),
        ...(await examineVault(settings)),
        ...replica,
        ...outside,
      ];
    } finally {
      await close();
    }
  } catch (error) {
    return [
      {
        check: "database",
        state: "failed",
        found: `The database or the storage cannot be opened: ${(error as Error).message}`,
        remedy: "check DATABASE_URL, DATA_DIR and the S3 settings",
      },
      ...replica,
      ...outside,
    ];
  }
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: { address: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help || (values.address !== undefined && !/^https?:\/\/./.test(values.address))) {
    console.log(usage);
    return values.help ? 0 : 3;
  }
  const findings = await examineAll(values.address === undefined ? undefined : new URL(values.address));
  const state = worstOf(findings);
  if (values.json) console.log(JSON.stringify({ state, findings }, null, 2));
  else
    for (const { check, state: one, found, remedy } of findings) {
      console.log(`${marks[one]}  ${check}: ${found}`);
      if (remedy) console.log(`         mend it: ${remedy}`);
    }
  return { ok: 0, warning: 1, failed: 2 }[state];
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error((error as Error).message);
  console.log(usage);
  process.exitCode = 3;
}
