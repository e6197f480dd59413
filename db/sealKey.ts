import { sql } from "kysely";

import type { Handle } from "./engine/connect.ts";

/** The key that seals what a person's devices keep. */

/** Gives a person this key where they have none yet; answers the one that they have. */
export async function upsertSealKey(handle: Handle, { userUuid, key }: { userUuid: string; key: Buffer }): Promise<Buffer> {
  await handle
    .insertInto("sealKey")
    .values({ userUuid, key })
    .onConflict((conflict) => conflict.column("userUuid").doNothing())
    .execute();
  const row = await handle.selectFrom("sealKey").select("key").where("userUuid", "=", userUuid).executeTakeFirstOrThrow();
  return row.key;
}

/** Replaces a person's key: what their devices keep so far stays sealed for ever. */
export async function updateSealKey(handle: Handle, { userUuid, key }: { userUuid: string; key: Buffer }): Promise<void> {
  await handle.updateTable("sealKey").set({ key, madeAt: sql`now()` }).where("userUuid", "=", userUuid).execute();
}
