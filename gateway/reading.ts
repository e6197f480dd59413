import { upsertLastWrite } from "../db/lastWrite.ts";
import type { Context } from "./context.ts";

/**
 * Which database a request reads from. Who is asking, and what they may do, was read from the primary before; a request that only
 * reads then goes to the replica, where there is one and it has all that this person wrote, at whichever gateway.
 */

/** Says that the request reads only: from here on its context may read from the replica. */
export async function readOnly(context: Context): Promise<void> {
  const { replica, viewer } = context;
  if (!replica || context.isReading) return;
  context.isReading = true;
  if (await replica.hasReached(viewer?.writtenUntil ?? null)) context.db = replica.reads;
}

/** Says that all of this request must be of this moment. */
export function readPrimary(context: Context): void {
  context.db = context.primary;
}

/** Notes that the request may have written and committed something, before that is answered. */
export async function noteWriting({ primary, replica, writer, viewer }: Context): Promise<void> {
  const userUuid = writer ?? viewer?.userUuid;
  if (replica && userUuid !== undefined) await upsertLastWrite(primary, { userUuid });
}
