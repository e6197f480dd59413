import { randomBytes } from "node:crypto";

import type { Handle } from "../../db/connect.ts";
import { updateSealKey, upsertSealKey } from "../../db/sealKey.ts";
import { requireSession } from "../access/access.ts";
import type { Context } from "../context.ts";

/** The key by which a person's devices seal what they keep. Only a session of one's own gets it, never a token. */

const newKey = (): Buffer => randomBytes(32);

/**
 * The key of who just signed in or asks by a session, made when it is first asked for; base64.
 *
 * @throws Problem UNAUTHENTICATED, FORBIDDEN (token)
 */
export async function ownSealKey(context: Context): Promise<string> {
  const userUuid = context.writer ?? requireSession(context).userUuid;
  return (await upsertSealKey(context.primary, { userUuid, key: newKey() })).toString("base64");
}

/** Replaces a person's key, so that nothing opens any more that their devices kept. */
export async function replaceSealKey(handle: Handle, userUuid: string): Promise<void> {
  await updateSealKey(handle, { userUuid, key: newKey() });
}
