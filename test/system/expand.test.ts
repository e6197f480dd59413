import { expect, test } from "vitest";

import { knownMigrations, migrate } from "../../db/migrate.ts";
import { testDatabase } from "../support/database.ts";
import { listFaultsOf } from "./expand.ts";

/** Migrations that are called `-expand` do not harm the previous version, and harmful ones are detected. */

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
