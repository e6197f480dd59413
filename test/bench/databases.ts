import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";

import { findFeedName } from "../../db/change/change.ts";
import type { Database } from "../../db/engine/connect.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { migrate } from "../../db/migrate.ts";
import { noteRecounts, recountNoted } from "../../db/derived/recount.ts";
import { loadCountry } from "./country.ts";
import { grow } from "./history.ts";
import type { Options } from "./options.ts";
import { openDatabase, type Place } from "./place.ts";

/** The product's own PostgreSQL with its own settings, and in it one database for each size of the history. */

export type Databases = {
  postgres: EmbeddedDatabase;
  /** the folder of the cluster */
  folder: string;
  /** the database of a size, which is loaded if it does not exist */
  open: (assessments: number) => Promise<Place>;
  /** a copy to write into; `drop` removes it */
  copy: (of: Place) => Promise<{ place: Place; drop: () => Promise<void> }>;
  /** PostgreSQL's version and the settings that matter, in words */
  settings: () => Promise<string>;
  stop: () => Promise<void>;
};

const nameOf = (assessments: number) => `bench_${assessments}`;

/**
 * Migrates as the product's start does: a folder of an earlier version, or an empty database, whose derived rows cost
 * nothing.
 *
 * @returns what was missing
 */
async function bringUpToDate(db: Database): Promise<string[]> {
  const migrated = await migrate(db);
  await noteRecounts(db);
  await recountNoted(db);
  return migrated;
}

/** Starts PostgreSQL on the folder that is kept between runs, or on one that is removed after this run. */
export async function startDatabases(
  { data, facilities, tdbs }: Options,
  say: (line: string) => void,
): Promise<Databases> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), "bench-data-")));
  const postgres = await startEmbedded(folder);
  const main = openDatabase(postgres.connection);
  const placeOf = (database: string): Place => ({ ...postgres.connection, database });
  const drop = (name: string) => sql`drop database if exists ${sql.id(name)} with (force)`.execute(main);
  const copyTo = async (name: string, from: string) => {
    await drop(name);
    await sql`create database ${sql.id(name)} template ${sql.id(from)} strategy file_copy`.execute(main);
  };
  const listNames = async () => {
    const { rows } = await sql<{
      name: string;
    }>`select datname as name from pg_database where datname ~ '^bench_[0-9]+$'`.execute(main);
    return rows.map(({ name }) => name);
  };

  /** Loads a size from the next smaller existing one, or from nothing. It has another name until it is complete. */
  const load = async (assessments: number) => {
    const smaller = (await listNames()).map((name) => Number(name.slice(6))).filter((size) => size < assessments);
    const from = Math.max(0, ...smaller);
    const begun = performance.now();
    if (from > 0) await copyTo("bench_unfinished", nameOf(from));
    else {
      await drop("bench_unfinished");
      await sql`create database bench_unfinished template template0`.execute(main);
    }
    const db = openDatabase(placeOf("bench_unfinished"));
    await bringUpToDate(db);
    if (from === 0) await loadCountry(db, facilities);
    await findFeedName(db);
    await grow(db, { from, to: assessments, tdbs });
    await db.destroy();
    await sql`alter database bench_unfinished rename to ${sql.id(nameOf(assessments))}`.execute(main);
    say(
      `Loaded ${assessments} assessments (${from > 0 ? `from ${from}` : `${tdbs} TDBs`}) in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    );
  };

  const open = async (assessments: number): Promise<Place> => {
    if (!(await listNames()).includes(nameOf(assessments))) await load(assessments);
    const place = placeOf(nameOf(assessments));
    const db = openDatabase(place);
    const migrated = await bringUpToDate(db);
    await findFeedName(db);
    if (migrated.length > 0) {
      say(`Migrated ${place.database}: ${migrated.join(", ")}`);
      await sql`vacuum (analyze)`.execute(db);
    }
    await db.destroy();
    return place;
  };

  return {
    postgres,
    folder,
    open,
    copy: async ({ database }) => {
      const name = "bench_copy";
      await copyTo(name, database);
      const db = openDatabase(placeOf(name));
      // A copy gets a new feed of changes. That is not part of the measurement.
      await findFeedName(db);
      await db.destroy();
      return { place: placeOf(name), drop: async () => void (await drop(name)) };
    },
    settings: async () => {
      const { rows } = await sql<{ told: string }>`
        select 'PostgreSQL ' || current_setting('server_version') || ', the embedded server as it comes: ' ||
          string_agg(name || ' ' || current_setting(name), ', ' order by name) as told
        from pg_settings where name in ('shared_buffers', 'work_mem', 'fsync', 'synchronous_commit', 'max_connections', 'jit')`.execute(
        main,
      );
      return rows[0]!.told;
    },
    stop: async () => {
      await main.destroy();
      await postgres.stop();
      if (!data) await rm(folder, { recursive: true, force: true });
    },
  };
}
