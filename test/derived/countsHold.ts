import { expect } from "vitest";

import { rebuildRollups } from "../../db/derived/recount.ts";
import type { Database } from "../../db/engine/connect.ts";
import { readDerived } from "./rows.ts";

/** Checks that the derived tables equal a full recount. */
export async function expectCountsHold(db: Database): Promise<void> {
  const kept = await readDerived(db);
  await rebuildRollups(db);
  expect(await readDerived(db)).toEqual(kept);
}
