import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** The key that encrypts a person's records on their devices. */

/** Stores this key if the person has none. Returns the person's key. */
export async function upsertSealKey(
  handle: Handle,
  { userUuid, key }: { userUuid: string; key: Buffer },
): Promise<Buffer> {
  await handle
    .insertInto("sealKey")
    .values({ userUuid, key })
    .onConflict((conflict) => conflict.column("userUuid").doNothing())
    .execute();
  const row = await handle
    .selectFrom("sealKey")
    .select("key")
    .where("userUuid", "=", userUuid)
    .executeTakeFirstOrThrow();
  return row.key;
}

/** Replaces a person's key: earlier records on their devices can never be decrypted again. */
export async function updateSealKey(
  handle: Handle,
  { userUuid, key }: { userUuid: string; key: Buffer },
): Promise<void> {
  await handle
    .updateTable("sealKey")
    .set({ key, madeAt: sql`now()` })
    .where("userUuid", "=", userUuid)
    .execute();
}
