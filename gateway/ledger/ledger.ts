import * as db from "../../db/ledger/ledger.ts";
import type { LedgerOrder } from "../../db/ledger/ledger.rules.ts";
import { mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import { narrowed, requireRight, requireViewer, requireWithin } from "../access/access.ts";
import { may } from "../access/access.rules.ts";
import { recordAudit } from "../audit/audit.ts";
import { dayBefore, todayIn } from "../calendar/fiscal.rules.ts";
import { daysAfter } from "../calendar/rangeDays.rules.ts";
import type { Context } from "../context.ts";
import { readFacility } from "../facility/facility.ts";
import { checkScope } from "../reference/reference.ts";
import { type LedgerFilterInput, periodOf } from "./ledger.rules.ts";
import { ledgerNeeds } from "./ledgerNeeds.rules.ts";

/**
 * The ledger for REST and GraphQL. How a facility stood and stands is an open fact; so are its place, partner and
 * connectivity. Who visited, comments, notes, actions and what was set aside are for people who may see assessments, who
 * changed a facility for those who may see the audit.
 */

export type LedgerEntry = db.LedgerRow;
export type LedgerCount = db.LedgerCount;

/** The filter within the caller's limit, and what the caller may see. @throws Problem FORBIDDEN, NOT_FOUND */
async function allowed(context: Context, asked: LedgerFilterInput) {
  const { privileges } = requireViewer(context);
  for (const kind of asked.kinds ?? []) {
    const needed = ledgerNeeds[kind];
    if (needed) requireRight(context, needed, "somewhere");
  }
  const { kinds, direction, facilityUuid, start, end, range, ...scope } = narrowed(context, asked);
  await checkScope(context, scope);
  const facility = facilityUuid == null ? null : await readFacility(context, facilityUuid);
  if (facility) requireWithin(context, facility);
  const filter: db.LedgerFilter = {
    ...scope,
    ...periodOf({ start, end, range }, todayIn(context.timeZone)),
    facilityUuid: facility?.facilityUuid ?? null,
    kinds: kinds ?? null,
    direction: direction ?? null,
    rights: { visits: may(privileges, "viewAssessments"), tdbs: may(privileges, "viewTdbs") },
  };
  return { filter, seesEdits: may(privileges, "viewAudit") };
}
type Allowed = Awaited<ReturnType<typeof allowed>>;

/** A change as the reader may see it. */
function shownTo({ filter, seesEdits }: Allowed) {
  const { visits } = filter.rights;
  return (entry: db.LedgerRow): LedgerEntry => ({
    ...entry,
    who: (entry.source === "facility" || entry.source === "import" ? seesEdits : visits) ? entry.who : null,
    comment: visits ? entry.comment : null,
    assessmentUuid: visits ? entry.assessmentUuid : null,
  });
}

/** A page of the ledger, the newest change first. @throws Problem FORBIDDEN, NOT_FOUND */
export async function listLedger(
  context: Context,
  { page, sort = "newest", ...asked }: LedgerFilterInput & { page: PageInput; sort?: LedgerOrder },
): Promise<Page<LedgerEntry>> {
  const known = await allowed(context, asked);
  return mapPage(await db.listLedger(context.db, { ...known.filter, sort, page }), shownTo(known));
}

/** How many changes there are of each kind and direction. @throws Problem FORBIDDEN, NOT_FOUND */
export async function countLedger(context: Context, asked: LedgerFilterInput): Promise<LedgerCount[]> {
  const { filter } = await allowed(context, asked);
  return db.listLedgerCounts(context.db, filter);
}

/** In days. */
const longestPart = 31;
/** The number of changes for which a part is planned. It is in memory at once. */
const usualPart = 5000;

/** Reads parts of the period, the newest first, each by one statement: a page would read all of its period, too. */
async function* everyEntry(context: Context, known: Allowed): AsyncGenerator<LedgerEntry, void> {
  const shown = shownTo(known);
  const { start } = known.filter;
  let days = 1;
  for (let end = known.filter.end; end >= start;) {
    const first = daysAfter(end, 1 - days);
    const part = { start: first < start ? start : first, end };
    const { rows } = await db.listLedger(context.db, { ...known.filter, ...part, sort: "newest", page: {} });
    for (const row of rows) yield shown(row);
    end = dayBefore(part.start);
    days = Math.max(1, Math.min(longestPart, Math.floor((days * usualPart) / Math.max(rows.length, 1))));
  }
}

/** The whole ledger, the newest change first. @throws Problem FORBIDDEN, NOT_FOUND */
export const readLedger = async (context: Context, asked: LedgerFilterInput): Promise<AsyncGenerator<LedgerEntry>> =>
  everyEntry(context, await allowed(context, asked));

/** The same for a file. The export is written to the audit log. @throws Problem FORBIDDEN, NOT_FOUND */
export async function exportLedger(context: Context, asked: LedgerFilterInput): Promise<AsyncGenerator<LedgerEntry>> {
  const known = await allowed(context, asked);
  const details = Object.fromEntries(Object.entries(asked).filter(([, value]) => value != null));
  await recordAudit(context, { action: "ledger.export", outcome: "done", details });
  return everyEntry(context, known);
}
