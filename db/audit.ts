import type { Insertable } from "kysely";

import type { Handle } from "./connect.ts";
import type { AuditEvent } from "./schema.ts";

export async function insertAuditEvent(handle: Handle, event: Insertable<AuditEvent>): Promise<void> {
  await handle.insertInto("auditEvent").values(event).execute();
}
