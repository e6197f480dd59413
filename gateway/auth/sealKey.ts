import { randomBytes } from "node:crypto";

import type { Handle } from "../../db/engine/connect.ts";
import { updateSealKey, upsertSealKey } from "../../db/auth/sealKey.ts";
import { requireSession } from "../access/access.ts";
import type { Context } from "../context.ts";

/** The key with which a person's devices encrypt what they store. Only a session gets it, never a token. */

const newKey = (): Buffer => randomBytes(32);

/**
 * The key of the person who has just signed in or who has a session, in base64. It is created at the first request.
 *
 * @throws Problem UNAUTHENTICATED, FORBIDDEN (token)
 */
export async function ownSealKey(context: Context): Promise<string> {
  const userUuid = context.writer ?? requireSession(context).userUuid;
  return (await upsertSealKey(context.primary, { userUuid, key: newKey() })).toString("base64");
}

/** Replaces a person's key, so that nothing that their devices stored can be opened any more. */
export async function replaceSealKey(handle: Handle, userUuid: string): Promise<void> {
  await updateSealKey(handle, { userUuid, key: newKey() });
}
