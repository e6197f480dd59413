import { sql } from "kysely";
import { expect, vi } from "vitest";

import type { Database } from "../../db/engine/connect.ts";
import { bodyOf, type Person } from "./gateway.ts";
import { patience } from "./patience.ts";

/**
 * Waits for the transactions that are open now, anywhere on the server: other tests of the run have some, and the feed
 * of changes reports nothing that is newer than the oldest of them.
 */
export async function settled(db: Database): Promise<void> {
  const { rows } = await sql<{ xmax: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xmax`.execute(
    db,
  );
  await vi.waitFor(
    async () => {
      const passed = await sql<{ passed: boolean }>`
        select pg_snapshot_xmin(pg_current_snapshot()) >= ${rows[0]!.xmax}::text::xid8 as passed`.execute(db);
      expect(passed.rows[0]!.passed).toBe(true);
    },
    { timeout: patience, interval: 20 },
  );
}

/** The cursor of the feed after all changes that this person may see, of these kinds (comma between) or of all. */
export async function cursorNow(db: Database, { get }: Pick<Person, "get">, kinds?: string): Promise<string> {
  // The first request gives the feed its name. With a new name the feed begins again.
  await get("/api/v1/changes?limit=1");
  await settled(db);
  const of = kinds ? `&kinds=${kinds}` : "";
  for (let since = ""; ;) {
    const { cursor, hasMore } = bodyOf(await get(`/api/v1/changes?limit=1000${of}${since}`));
    if (!hasMore) return cursor as string;
    since = `&since=${cursor}`;
  }
}
