import * as db from "../../db/audit/audit.ts";
import type { Handle } from "../../db/engine/connect.ts";
import type { LongTable } from "../../db/list/csv.ts";
import type { PageInput, Sort } from "../../db/list/page.ts";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { noteWriting } from "../reading/reading.ts";
import { madeStorable } from "../input/text.rules.ts";
import type { AuditFilter } from "./audit.rules.ts";
import { type AuditAction, events as words } from "./events.rules.ts";
import type { AuditSortKey } from "./listFilter.rules.ts";

export type { AuditRow } from "../../db/audit/audit.ts";

export type AuditInput = {
  /** what was done, for example `session.sign-in` */
  action: AuditAction;
  outcome: "done" | "denied" | "failed";
  /** the person concerned, if that is not the signed-in person (a sign-in) */
  userUuid?: string | null;
  login?: string | null;
  facilityUuid?: string | null;
  subject?: { type: string; id: string };
  /** old and new values */
  details?: unknown;
};

/**
 * Writes an event to the audit log: who did what, with which token and from where. Pass the act's transaction as
 * `handle`, if there is one.
 */
export const recordAudit = (context: Context, event: AuditInput, handle: Handle = context.primary): Promise<void> =>
  recordAudits(context, [event], handle);

/** The longest id that an event stores. A refused request may contain an id of any length. */
const mostOfId = 200;
const shownId = (id: string): string => madeStorable(id.slice(0, mostOfId));
/** Details as JSON that PostgreSQL can store, even if the caller sent characters that it cannot. */
const written = (details: unknown): string =>
  JSON.stringify(details, (_, value: unknown) => (typeof value === "string" ? madeStorable(value) : value));

/** Writes several events, in their order, as `recordAudit` does. */
export async function recordAudits(
  context: Context,
  events: AuditInput[],
  handle: Handle = context.primary,
): Promise<void> {
  for (const { action, outcome } of events) context.onEvent?.({ action, outcome });
  const viewer = context.viewer ?? context.enrolling;
  const rows = events.map(({ subject, details, ...rest }) => ({
    userUuid: viewer?.userUuid ?? null,
    ...rest,
    tokenUuid: viewer?.tokenUuid ?? null,
    address: context.address,
    subjectType: subject?.type ?? null,
    subjectId: subject ? shownId(subject.id) : null,
    details: details === undefined ? null : written(details),
  }));
  await db.insertAuditEvents(handle, rows);
  // A reading request, for example an export, writes nothing but this event.
  if (context.isReading) await noteWriting(context);
}

type Sorted = { sort?: Sort<AuditSortKey> | null | undefined };

/**
 * A page of the events that match, by default the newest first.
 *
 * @throws Problem FORBIDDEN for everybody but administrators
 */
export async function listAuditEvents(
  context: Context,
  input: AuditFilter & Sorted & { userUuid?: string | null; page: PageInput },
) {
  requireRight(context, "viewAudit");
  return db.listAuditEvents(context.db, { ...input, words });
}

/** The names of all actions that are in the log. @throws Problem FORBIDDEN */
export async function listAuditActions(context: Context): Promise<string[]> {
  requireRight(context, "viewAudit");
  return db.listAuditActions(context.db);
}

/**
 * All events that match as lines of CSV, in the order of the list. The export itself is written to the log first.
 * @throws Problem FORBIDDEN
 */
export async function exportAudit(context: Context, { sort, ...filter }: AuditFilter & Sorted): Promise<LongTable> {
  requireRight(context, "viewAudit");
  await recordAudit(context, { action: "audit.export", outcome: "done", details: { filter } });
  return db.listAuditLines(context.db, { ...filter, sort, words });
}
