import { insertAuditEvent } from "../../db/audit.ts";
import type { Handle } from "../../db/connect.ts";
import type { Context } from "../context.ts";

export type AuditInput = {
  /** what was done, for example `session.sign-in` */
  action: string;
  outcome: "done" | "denied" | "failed";
  /** the person it is about where that is not the signed-in one (a sign-in) */
  userUuid?: string | null;
  login?: string | null;
  facilityUuid?: string | null;
  subject?: { type: string; id: string };
  /** old and new values */
  details?: unknown;
};

/** Writes down who did what, through which token and from where; in the act's own transaction where there is one. */
export async function recordAudit(context: Context, event: AuditInput, handle: Handle = context.db): Promise<void> {
  const { subject, details, ...rest } = event;
  await insertAuditEvent(handle, {
    userUuid: context.viewer?.userUuid ?? null,
    ...rest,
    tokenUuid: context.viewer?.tokenUuid ?? null,
    address: context.address,
    subjectType: subject?.type ?? null,
    subjectId: subject?.id ?? null,
    details: details === undefined ? null : JSON.stringify(details),
  });
}
