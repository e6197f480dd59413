import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { knownMigrations, migrate } from "../../db/migrate.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { listFaultsOf } from "./expand.ts";

/** Migrations that are called `-expand` do not harm the previous version, and harmful ones would be detected. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("empty");
});
afterAll(() => database?.drop());

/** Runs these migrations, each on a database with all earlier ones. */
async function faultsOfLanded(isChecked: (name: string) => boolean): Promise<Record<string, string[]>> {
  const bare = await testDatabase("bare");
  const faults: Record<string, string[]> = {};
  for (const [at, name] of knownMigrations.entries()) {
    if (!isChecked(name)) continue;
    await migrate(bare.db, knownMigrations.slice(0, at));
    faults[name] = await listFaultsOf(bare.db, () => migrate(bare.db, knownMigrations.slice(0, at + 1)));
  }
  await bare.drop();
  return faults;
}

test("each migration that ends in -expand only makes changes that the previous version can cope with", async () => {
  const faults = await faultsOfLanded((name) => name.endsWith("-expand"));
  expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
});

test("migrations from before the rule are classified as harmless or harmful", async () => {
  const faults = await faultsOfLanded((name) => /-(as-of|facility-state|worklist-note|boundary|registry)$/.test(name));
  expect(Object.entries(faults).map(([name, found]) => [name.slice(14), found.length === 0])).toEqual([
    ["as-of", false],
    ["facility-state", true],
    ["worklist-note", true],
    ["boundary", true],
    ["registry", false],
  ]);
});

/** Runs a made-up migration, and rolls it back. */
async function faultsOf(text: string): Promise<string[]> {
  let faults: string[] = [];
  await database.db
    .transaction()
    .execute(async (transaction) => {
      faults = await listFaultsOf(transaction, async () => {
        await sql`savepoint planted`.execute(transaction);
        await sql
          .raw(text)
          .execute(transaction)
          .catch(async (error: unknown) => {
            await sql`rollback to savepoint planted`.execute(transaction);
            throw error;
          });
      });
      throw new Error("taken back");
    })
    .catch((error: Error) => {
      if (error.message !== "taken back") throw error;
    });
  return faults;
}

const kindCheck =
  "alter table worklist_note drop constraint worklist_note_kind_check, add constraint worklist_note_kind_check check";

test.each([
  [
    "a table",
    'create table note (note_uuid uuid primary key, facility_uuid text collate "C" not null references facility on delete cascade, user_uuid uuid not null references app_user, text text not null unique)',
  ],
  [
    "a nullable column with its own constraints",
    "alter table facility add column mark text check (length(mark) < 9), add unique (mark)",
  ],
  [
    "a check that allows one more value",
    `${kindCheck} (kind in ('stopped', 'lostPower', 'silent', 'oldVersion', 'notVisited', 'other'))`,
  ],
  ["a column with a default", "alter table facility add column marked boolean not null default false"],
  ["an index", "create index facility_by_nothing on facility (latitude) where longitude is null"],
  [
    "rows of a new table, and new rows of an existing one",
    "create table word (word text primary key); insert into word values ('a'); update word set word = 'b'; insert into setting values ('word', '1')",
  ],
])("harmless: %s", async (_, text) => {
  expect(await faultsOf(text)).toEqual([]);
});

test.each([
  ["a table removed", "drop table worklist_note", /^it removes or changes: .*worklist_note/],
  [
    "a column removed",
    "alter table worklist_note drop column comment",
    /^it removes or changes: .*worklist_note.*comment/,
  ],
  [
    "a column renamed",
    "alter table worklist_note rename column comment to text",
    /^it removes or changes: column worklist_note .*comment/,
  ],
  [
    "a column type changed",
    "alter table facility alter column latitude type real",
    /^it removes or changes: column facility .*latitude/,
  ],
  [
    "a column made not null",
    "alter table facility alter column latitude set not null",
    /^it removes or changes: column facility .*latitude/,
  ],
  [
    "a column made nullable, whose value the previous version relies on",
    "alter table facility alter column facility_name drop not null",
    /^it removes or changes: column facility .*facility_name/,
  ],
  [
    "a default removed",
    "alter table worklist_note alter column written_at drop default",
    /^it removes or changes: column worklist_note .*written_at/,
  ],
  [
    "a new column that needs a value",
    "alter table facility add column mark text not null",
    /^it demands a value of facility\.mark$/,
  ],
  [
    "a check on a new and an existing column",
    "alter table facility add column mark text, add check (mark is not null or latitude is null)",
    /^it puts a rule on columns of facility: CHECK/,
  ],
  [
    "a unique constraint",
    "alter table facility add unique (latitude)",
    /^it puts a rule on columns of facility: UNIQUE/,
  ],
  [
    "a unique index",
    "create unique index one_name on facility (lower(facility_name))",
    /^it puts a rule on columns of facility: CREATE UNIQUE INDEX/,
  ],
  [
    "a check that allows one value fewer",
    `${kindCheck} (kind in ('stopped', 'lostPower', 'silent', 'oldVersion', 'other'))`,
    /^it removes or changes: constraint worklist_note/,
  ],
  [
    "a check replaced by another one",
    "alter table worklist_note drop constraint worklist_note_kind_check, add constraint worklist_note_kind_check check (kind <> 'none')",
    /^it removes or changes: constraint worklist_note/,
  ],
  [
    "an index removed, which the previous version uses",
    "drop index worklist_note_of_entry",
    /^it removes or changes: index .*worklist_note_of_entry/,
  ],
  [
    "a foreign key that blocks deletes",
    'create table note (facility_uuid text collate "C" references facility)',
    /^rows of facility can no longer be deleted: note refers to them$/,
  ],
  [
    "a trigger",
    "create trigger own before insert on facility for each row execute function suppress_redundant_updates_trigger()",
    /^it puts a trigger on facility: own$/,
  ],
  [
    "rows changed",
    "update facility set facility_name = facility_name || '.' where false",
    /^it changes rows of facility$/,
  ],
  ["rows deleted", "delete from setting where name = 'none'", /^it changes rows of setting$/],
  [
    "a table rewritten",
    "alter table facility add column mark uuid not null default gen_random_uuid()",
    /^it rewrites a table/,
  ],
])("harmful: %s", async (_, text, fault) => {
  const faults = await faultsOf(text);
  expect(faults.length).toBeGreaterThan(0);
  expect(faults[0]).toMatch(fault);
});
