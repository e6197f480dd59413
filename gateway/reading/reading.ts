import { upsertLastWrite } from "../../db/engine/replica/lastWrite.ts";
import type { Context } from "../context.ts";

/**
 * Chooses the database from which a request reads. Session and rights have been read from the primary before. A request
 * that only reads uses the replica, if there is one and it has replayed everything that this person wrote at any
 * gateway.
 */

/** Declares that the request only reads: from here on its context may use the replica. */
export async function readOnly(context: Context): Promise<void> {
  const { replica, viewer } = context;
  if (context.isReading) return;
  context.isReading = true;
  if (replica && (await replica.hasReached(viewer?.writtenUntil ?? null))) context.db = replica.reads;
}

/** Declares that this request must read current data. */
export function readPrimary(context: Context): void {
  context.db = context.primary;
}

/** Records, before the answer is sent, that the request may have written something. */
export async function noteWriting({ primary, replica, writer, viewer }: Context): Promise<void> {
  const userUuid = writer ?? viewer?.userUuid;
  if (replica && userUuid !== undefined) await upsertLastWrite(primary, { userUuid });
}
