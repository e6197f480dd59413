import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";

import { findTouched } from "../../db/derived/install.ts";
import { completeRecounts, listDueRecounts, noteRecounts, recountNoted } from "../../db/derived/recount.ts";
import type { Database } from "../../db/engine/connect.ts";
import { listPendingFiles, migrate, type OnWait, untilFree, upsertMigratedBy } from "../../db/migrate.ts";
import { listPlannedMigrations, strongestLocks } from "../../db/migrationPlan.ts";
import { findStatistics } from "../../db/system/statistics.ts";
import { version } from "../../package.json";
import { runCommand, withDatabase } from "./command.ts";
import { readSettings, type Settings } from "../env.ts";
import { problemOf } from "../problem.ts";

/** `npm run migrate`: upgrades the database as a separate step. Exit codes: 0 done, 1 not done, 2 wrong arguments. */

const usage = `npm run migrate [-- --plan]

Brings the database to this version, as npm start does: tables, triggers, derived figures. The database is the one that npm start would use
(DATABASE_URL, DATA_DIR). Run it as the owner of the tables where the gateway's user may not change them (deploy/roles.sql).

Where somebody holds a table, it gives way after 2 s and tries again for half an hour. A run that was ended goes on when it is run again.

--plan   lists what would be done, which tables are locked, the rows and the time, and changes nothing`;

const say = (line: string): void => console.log(line);
const everyMs = 2000;
const whole = (count: number): string => Math.round(count).toLocaleString("en");
const took = (seconds: number): string =>
  seconds < 1
    ? "less than 1 s"
    : seconds < 100
      ? `about ${Math.round(seconds)} s`
      : `about ${Math.round(seconds / 60)} min`;

/** Who waits while a table has this lock. */
const waits: Record<string, string> = {
  ShareLock: "saves wait",
  ShareRowExclusiveLock: "saves wait",
  AccessExclusiveLock: "who reads or saves waits",
};

/** Says who waits while triggers are added, removed or changed. */
function waitingFor(locks: Awaited<ReturnType<typeof findTouched>>["locks"]): string {
  const tablesIn = (mode: string) => locks.filter((lock) => lock.mode === mode).map(({ table }) => table);
  const [saving, reading] = [tablesIn("share row exclusive"), tablesIn("access exclusive")];
  return [
    ...(saving.length > 0 ? [`; who saves ${saving.join(", ")} waits for a moment`] : []),
    ...(reading.length > 0 ? [`; who reads or saves ${reading.join(", ")} waits for a moment`] : []),
  ].join("");
}

async function plan(db: Database, { TDB_RHYTHM_DAYS: rhythmDays }: Settings): Promise<void> {
  const pending = await listPendingFiles(db);
  const planned = await listPlannedMigrations(db, pending);
  let seconds = 0;
  for (const { name, steps } of planned) {
    const own = steps.reduce((sum, step) => sum + step.seconds, 0);
    seconds += own;
    say(`migration  ${name}: ${took(own)}`);
    for (const step of steps)
      say(
        `  ${step.statement.slice(0, 100)}${step.statement.length > 100 ? " …" : ""}${step.rows > 0 ? `  (${whole(step.rows)} rows)` : ""}`,
      );
  }
  const strongest = strongestLocks(planned);
  for (const [table, { lock, seconds: held }] of strongest)
    say(`lock       ${table}: ${lock}, ${waits[lock] ?? "nobody waits, but for the same rows"}, ${took(held)}`);
  const { locks, functions } = await findTouched(db);
  if (functions > 0 || locks.length > 0)
    say(`triggers   ${functions} functions of derived figures are replaced${waitingFor(locks)}`);
  const { assessments, tdbs } = await tableSizes(db);
  const due = await listDueRecounts(db, { rhythmDays, records: assessments + tdbs });
  const counting = due.reduce((sum, { seconds: own }) => sum + own, 0);
  for (const { name, by, keys, seconds: own } of due)
    say(`recount    ${name}: ${whole(keys)} ${by === "facility" ? "facilities" : "provinces"}, ${took(own)}`);
  if (due.length > 0)
    say(
      `           ${took(counting)} for ${whole(assessments)} visits and ${whole(tdbs)} TDBs, in small steps: nobody waits long`,
    );
  say(
    pending.length + functions + locks.length + due.length === 0
      ? "The database is up to date: nothing would be done."
      : `In all ${took(seconds + counting)}. Nothing was changed. Take a backup, then: npm run migrate`,
  );
}

/** The sizes that a recount depends on; none in a database without tables. */
const tableSizes = (db: Database): Promise<{ assessments: number; tdbs: number }> =>
  findStatistics(db).catch(() => ({ assessments: 0, tdbs: 0 }));

async function apply(db: Database, { TDB_RHYTHM_DAYS: rhythmDays }: Settings): Promise<void> {
  const onWait: OnWait = (holders) => {
    say("Waiting for a lock. These transactions are open:");
    for (const { pid, user, state, application } of holders)
      say(`  ${user ?? "?"} (${application || "no name"}, ${state ?? "?"}), process ${pid}`);
  };
  const ran = await migrate(db, undefined, onWait);
  for (const name of ran) say(`done       ${name}`);
  if (ran.length > 0) await upsertMigratedBy(db, version);
  await untilFree(db, () => noteRecounts(db, { rhythmDays }), onWait);
  let reportedAt = Date.now();
  const onProgress = (left: number): void => {
    if (left === 0 || Date.now() - reportedAt < everyMs) return;
    reportedAt = Date.now();
    say(`recount    ${whole(left)} facilities and provinces are left`);
  };
  const progress = { onProgress, pause: () => setTimeout(1000) };
  await completeRecounts(db, progress);
  await recountNoted(db, progress);
  say(ran.length > 0 ? "The database is up to date." : "The database was up to date.");
}

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { plan: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help) say(usage);
  else {
    const settings = readSettings();
    await withDatabase(settings, (db) => (values.plan ? plan : apply)(db, settings));
  }
  return 0;
}

/**
 * The message of an error. If the connection was lost, it adds that nothing must be restored, and that the command can
 * be repeated.
 */
function words(error: Error): string {
  const isAway = [error, error.cause].some((each) => problemOf(each ?? {}).code === "UNAVAILABLE");
  return isAway
    ? `${error.message}\nThe database is away. What was done before stays done: run this again, and it goes on.`
    : error.message;
}

await runCommand(run, usage, words);
