import { type Edge, everyRow, mapPage, type Page, type PageInput, type ParentKey } from "../../db/list/page.ts";
import type { SiteCounts, SiteRow } from "../../db/facility/silence.ts";
import * as db from "../../db/facility/silence.ts";
import { mayAt, mayEverywhere, narrowed, requireRight, requireSite, requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import { batched, batchedBy } from "../reading/batch.ts";
import { knownDay } from "../calendar/asOf.ts";
import type { Context } from "../context.ts";
import { type FacilityState, readStates } from "../facility/siteState.ts";
import { notFound } from "../problem.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import { type IrregularityKind, type SiteFilter, type SiteLevel, siteRule } from "./silence.rules.ts";

/**
 * Acts on silent facilities, shared by REST and GraphQL. Whether a facility is overdue, and the day of its last TDB,
 * are open facts for every signed-in person. Irregularities need the right to see TDBs. So do earlier days: all days on
 * which a facility had sent tell how many TDBs it sent.
 */

/**
 * How long a facility has been silent, and whether it is overdue. Days are those of the ministry's zone. `irregular` is
 * null, and the days of irregular TDBs are, for people who may not see TDBs.
 */
export type Site = Omit<SiteRow, "silentSince"> & { rhythmDays: number; irregular: boolean | null };
/** Counts of a unit. The row for facilities without a partner has no id. */
export type SiteCount = Omit<SiteCounts, "name" | "irregular"> & {
  name: string;
  irregular: number | null;
  rhythmDays: number;
};

const rule: db.SilenceRule = siteRule;
/** The rule as at a day, or now. @throws Problem INVALID */
const ruleAsOf = (context: Context, asOf: string | null | undefined): db.SilenceRule =>
  asOf == null ? rule : { ...rule, asOf: knownDay(context, asOf, "asOf") };

function judged<Row extends SiteRow>({ tdbRhythmDays: rhythmDays }: Context, row: Row): Row & Site {
  const irregular = (row.deltaWithoutBaseDate ?? row.creationBackDate ?? row.clientsBackDate) !== null;
  return { ...row, rhythmDays, irregular };
}

const hidden = { irregular: null, deltaWithoutBaseDate: null, creationBackDate: null, clientsBackDate: null };
/** A facility as the caller may see it. */
const shownSite = <Row extends SiteRow>(context: Context, row: Row): Row & Site => {
  const site = judged(context, row);
  return mayAt(context, "viewTdbs", row) ? site : { ...site, ...hidden };
};

async function readSites(
  context: Context,
  { page, asOf, ...filter }: SiteFilter & { page: PageInput },
): Promise<Page<SiteRow & Site>> {
  const found = await db.listSites(context.db, { ...filter, rule: ruleAsOf(context, asOf), page });
  return mapPage(found, (row) => shownSite(context, row));
}

/** The filter, if it is about open facts; else within the caller's limit. @throws Problem FORBIDDEN or NOT_FOUND */
async function allowed<Filter extends SiteFilter>(
  context: Context,
  filter: Filter,
  of?: PageInput["of"],
): Promise<Filter> {
  requireViewer(context);
  const isClosed = filter.asOf != null || filter.show === "irregular";
  if (isClosed) requireRight(context, "viewTdbs", "somewhere");
  const within = isClosed ? narrowed(context, filter, of) : filter;
  await checkScope(context, within);
  return within;
}

/** Facilities that are overdue, never sent, irregular … in a scope. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listSites(context: Context, input: SiteFilter & { page: PageInput }): Promise<Page<Site>> {
  requireViewer(context);
  return readSites(context, await allowed(context, input, input.page.of)) as Promise<Page<Site>>;
}

/** A site with how it stands today; null if the list is as at an earlier day. */
export type ExportedSite = Site & { state: FacilityState | null };

/** The same as an export, which is written to the audit log. @throws Problem FORBIDDEN or NOT_FOUND */
export async function exportSites(context: Context, asked: SiteFilter): Promise<AsyncGenerator<ExportedSite>> {
  requireViewer(context);
  const filter = await allowed(context, asked);
  const details = Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null));
  await recordAudit(context, { action: "tdb.silent.export", outcome: "done", details });
  return everyRow(async (page) => {
    const found = await readSites(context, { ...filter, page });
    const listed = filter.asOf == null ? found.rows.map(({ facilityUuid }) => facilityUuid) : [];
    const states = await readStates(context, listed);
    return mapPage(found, (site): ExportedSite => ({ ...site, state: states.get(site.facilityUuid) ?? null }));
  });
}

const loadRow = batched<string, SiteRow>(
  async (context, facilityUuids) => {
    const rows = await db.listSitesByUuid(context.db, { rule, facilityUuids });
    return new Map(rows.map((row) => [row.facilityUuid, row]));
  },
  () => notFound("facility"),
);

/** One facility of the list. Several facilities of one request are read together. @throws Problem NOT_FOUND */
export async function readSite(context: Context, facilityUuid: string): Promise<Site> {
  requireViewer(context);
  return shownSite(context, await loadRow(context, facilityUuid));
}

/** The same for the calling site's own facility. @throws Problem FORBIDDEN or NOT_FOUND */
export async function readOwnSilence(context: Context): Promise<Site> {
  const { facilityUuid } = requireSite(context);
  return judged(context, await loadRow(context, facilityUuid));
}

const shown = (context: Context, { name, irregular, ...row }: SiteCounts): SiteCount => ({
  ...row,
  name: name ?? "No implementing partner",
  irregular: mayEverywhere(context, "viewTdbs") ? irregular : null,
  rhythmDays: context.tdbRhythmDays,
});

/**
 * How many facilities of each province, district or partner are expected, overdue and so on. An earlier day needs the
 * right to read TDBs, as it does for the list. The number of irregular ones is null without that right.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN or INVALID
 */
export async function countSites(
  context: Context,
  { level, scope, asOf }: { level: SiteLevel; scope: Scope; asOf?: string | null },
): Promise<SiteCount[]> {
  requireViewer(context);
  if (asOf != null) requireRight(context, "viewTdbs");
  await checkScope(context, scope);
  const rows = await db.listSiteCounts(context.db, { level, scope, rule: ruleAsOf(context, asOf) });
  return rows.map((row) => shown(context, row));
}

/** The same for one place or partner. Those of one request with the same level are counted together. */
export const countSitesBelow = batchedBy<{ level: SiteLevel; edge: Edge; asOf: string | null }, ParentKey, SiteCount[]>(
  async (context, { level, edge, asOf }, keys) => {
    requireViewer(context);
    if (asOf != null) requireRight(context, "viewTdbs");
    const lists = new Map<ParentKey, SiteCount[]>(keys.map((key) => [key, []]));
    const of = { handle: context.db, edge, keys };
    for (const { parentKey, ...row } of await db.listSiteCounts(context.db, {
      level,
      scope: {},
      of,
      rule: ruleAsOf(context, asOf),
    }))
      lists.get(parentKey!)?.push(shown(context, row));
    return lists;
  },
  () => [],
);

/** The irregularities of a TDB. Those of all TDBs of a request are read together. @throws Problem FORBIDDEN */
export const loadIrregularities = batched<string, IrregularityKind[]>(
  async (context, tdbUuids) => {
    requireRight(context, "viewTdbs", "somewhere");
    const kinds = new Map<string, IrregularityKind[]>();
    for (const { tdbUuid, kind } of await db.listIrregularities(context.db, { tdbUuids }))
      kinds.set(tdbUuid, [...(kinds.get(tdbUuid) ?? []), kind as IrregularityKind]);
    return kinds;
  },
  () => [],
);
