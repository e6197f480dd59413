import { type RawBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { isCounted } from "../list/counted.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import { parentKey } from "../list/parents.ts";
import type { TimelineChange, TimelineKind } from "./timeline.rules.ts";

/**
 * What happened at facilities, from the tables that have it: visits and their corrections, TDBs, changes of the version,
 * notes, actions, and changes of the facility, by imports too. Nothing is stored for it.
 */

export type TimelineRow = {
  id: string;
  at: string;
  date: string;
  time: string;
  kind: TimelineKind;
  /** what happened, within its kind */ event: string;
  userName: string | null;
  assessmentUuid: string | null;
  /** what somebody wrote */ text: string | null;
  /** of a note: the kind of the entry of the work list */ about: string | null;
  setAsideReason: string | null;
  /** why it is held */ held: string | null;
  /** the values before; null where there are none to compare with */ old: Record<string, unknown> | null;
  new: Record<string, unknown> | null;
  /** instead of both: the differences as they were stored */ changes: TimelineChange[] | null;
};

/** Whether a row belongs to the facility whose timeline is read. */
const isOf = (table: string) => sql`${sql.ref(`${table}.facilityUuid`)} = ${parentKey("facilityUuid")}`;
const none = sql`null::json`;

type Part = {
  kind: TimelineKind;
  id: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  event: RawBuilder<unknown>;
  by?: RawBuilder<unknown>;
  visit?: RawBuilder<unknown>;
  text?: RawBuilder<unknown>;
  about?: RawBuilder<unknown>;
  /** the table of the visit or TDB that no figure counts */ aside?: "assessment" | "tdb";
  old?: RawBuilder<unknown>;
  present?: RawBuilder<unknown>;
  changes?: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
};
const selected = (part: Part) => sql`
  select ${sql.lit(part.kind)}::text as kind, ${part.id}::text as id, ${part.at} as at, ${part.event}::text as event, ${part.by ?? sql`null`}::uuid as user_uuid,
    ${part.visit ?? sql`null`}::uuid as assessment_uuid, ${part.text ?? sql`null`}::text as text, ${part.about ?? sql`null`}::text as about,
    ${part.aside ? sql.ref(`${part.aside}.setAsideReason`) : sql`null`}::text as set_aside_reason, ${part.aside ? sql.ref(`${part.aside}.held`) : sql`null`}::text as held,
    ${part.old ?? none} as old, ${part.present ?? none} as new, ${part.changes ?? none} as changes
  from ${part.from}`;

/** The values of a visit or TDB, beside those of the one before it; null for the first. */
const values = (names: readonly string[], prefix = "") =>
  sql`json_build_object(${sql.join(names.map((name) => sql`${sql.lit(name)}::text, ${sql.ref(`was.${prefix}${name}`)}`))})`;
const compared = (names: readonly string[]) => ({
  old: sql`case when was.number > 1 then ${values(names, "earlier_")} end`,
  present: values(names),
});
/** The same columns of the row before. */
const earlier = (names: readonly string[]) =>
  sql.join([
    ...names.map((name) => sql`lag(${sql.ref(name)}) over before as ${sql.ref(`earlier_${name}`)}`),
    sql`row_number() over before as number`,
  ]);

const found = ["smartCareFunctional", "power", "functionalityStatusMode"];
const version = ["libraryVersion"];
const held = ["libraryVersion", "totalPatients"];
const versionOf = (table: string) => sql`nullif(btrim(${sql.ref(`${table}.libraryVersion`)}), '') as library_version`;
const powerOf = sql`assessment.primary_power_working or assessment.backup_power_working as power`;

const visits: Part = {
  kind: "visit",
  id: sql`'visit ' || was.assessment_uuid`,
  at: sql`was.assessed_at`,
  event: sql`case when was.number > 1 then 'visit' else 'firstVisit' end`,
  by: sql`was.user_uuid`,
  visit: sql`was.assessment_uuid`,
  ...compared(found),
  from: sql`(
    select *, ${earlier(found)} from (
      select assessment_uuid, assessed_at, user_uuid, smart_care_functional, ${powerOf}, functionality_status_mode
      from assessment where ${isOf("assessment")} and ${isCounted("assessment")}) as counted
    window before as (order by assessed_at, assessment_uuid)) as was`,
};

const visitsNotCounted: Part = {
  kind: "visit",
  id: sql`'visit ' || assessment.assessment_uuid`,
  at: sql`assessment.assessed_at`,
  event: sql`'visit'`,
  by: sql`assessment.user_uuid`,
  visit: sql`assessment.assessment_uuid`,
  aside: "assessment",
  from: sql`assessment where ${isOf("assessment")} and not ${isCounted("assessment")}`,
};

const corrections: Part = {
  kind: "visit",
  id: sql`'correction ' || revision.assessment_uuid || ' ' || revision.version`,
  at: sql`revision.revised_at`,
  event: sql`'correction'`,
  by: sql`revision.user_uuid`,
  visit: sql`revision.assessment_uuid`,
  changes: sql`revision.changes::json`,
  from: sql`assessment_revision as revision join assessment using (assessment_uuid) where ${isOf("assessment")}`,
};

/** Visits that found another version than the last visit before that named one. */
const upgrades: Part = {
  kind: "upgrade",
  id: sql`'upgrade ' || was.assessment_uuid`,
  at: sql`was.assessed_at`,
  event: sql`'upgrade'`,
  visit: sql`was.assessment_uuid`,
  ...compared(version),
  from: sql`(
    select *, ${earlier(version)} from (
      select assessment_uuid, assessed_at, ${versionOf("assessment")}
      from assessment where ${isOf("assessment")} and ${isCounted("assessment")}) as counted
    where library_version is not null
    window before as (order by assessed_at, assessment_uuid)) as was where was.earlier_library_version <> was.library_version`,
};

const tdbs: Part = {
  kind: "tdb",
  id: sql`'tdb ' || was.tdb_uuid`,
  at: sql`was.tdb_created_at`,
  event: sql`case when was.number > 1 then 'tdb' else 'firstTdb' end`,
  by: sql`was.user_uuid`,
  text: sql`was.file_name`,
  ...compared(held),
  from: sql`(
    select *, ${earlier(held)} from (
      select tdb_uuid, tdb_created_at, uploaded_at, user_uuid, file_name, ${versionOf("tdb")}, total_patients
      from tdb where ${isOf("tdb")} and ${isCounted("tdb")}) as counted
    window before as (order by tdb_created_at, uploaded_at, tdb_uuid)) as was`,
};

const tdbsNotCounted: Part = {
  kind: "tdb",
  id: sql`'tdb ' || tdb.tdb_uuid`,
  at: sql`tdb.tdb_created_at`,
  event: sql`'tdb'`,
  by: sql`tdb.user_uuid`,
  text: sql`tdb.file_name`,
  aside: "tdb",
  from: sql`tdb where ${isOf("tdb")} and not ${isCounted("tdb")}`,
};

const notes: Part = {
  kind: "note",
  id: sql`'note ' || worklist_note.note_uuid`,
  at: sql`worklist_note.written_at`,
  event: sql`'note'`,
  by: sql`worklist_note.user_uuid`,
  text: sql`worklist_note.comment`,
  about: sql`worklist_note.kind`,
  present: sql`json_build_object('snoozedUntil', worklist_note.snoozed_until)`,
  from: sql`worklist_note where ${isOf("worklistNote")}`,
};

const agreed: Part = {
  kind: "action",
  id: sql`'agreed ' || action.action_uuid`,
  at: sql`action.agreed_at`,
  event: sql`'agreed'`,
  by: sql`action.user_uuid`,
  visit: sql`action.assessment_uuid`,
  text: sql`action.text`,
  present: sql`json_build_object('responsible', concat_ws(', ', action.responsible, partner.name), 'dueDay', action.due_day)`,
  from: sql`action left join implementing_partner as partner using (implementing_partner_id) where ${isOf("action")}`,
};

const closed: Part = {
  kind: "action",
  id: sql`'closed ' || action.action_uuid`,
  at: sql`action.closed_at`,
  event: sql`action.state`,
  by: sql`action.closed_by`,
  visit: sql`action.closing_assessment_uuid`,
  text: sql`action.text`,
  present: sql`json_build_object('reason', action.reason)`,
  from: sql`action where ${isOf("action")} and action.closed_at is not null`,
};

const ofConfiguration = ["facility.settings", "facility.connectivity"];
const ofRegistry = [
  "facility.add",
  "facility.change",
  "facility.close",
  "facility.reopen",
  "facility.identifiers",
  "facility.merge",
  "facility.unmerge",
];
const edits = (kind: TimelineKind, actions: readonly string[]): Part => ({
  kind,
  id: sql`'edit ' || audit_event.audit_event_id`,
  at: sql`audit_event.occurred_at`,
  event: sql`audit_event.action`,
  by: sql`audit_event.user_uuid`,
  old: sql`nullif(audit_event.details -> 'old', 'null')::json`,
  present: sql`nullif(audit_event.details -> 'new', 'null')::json`,
  from: sql`audit_event where ${isOf("auditEvent")} and audit_event.outcome = 'done' and audit_event.action = any(${[...actions]}::text[])`,
});

/** Imports that made the facility or changed it and were not reverted, with the differences of their review. */
const imports: Part = {
  kind: "registry",
  id: sql`'import ' || imported.import_uuid || ' ' || imported.line`,
  at: sql`registry_import.applied_at`,
  event: sql`case when imported.before is null then 'import.add' else 'import.change' end`,
  by: sql`registry_import.applied_by`,
  text: sql`registry_import.file_name`,
  changes: sql`case when imported.before is null then '[]'::json else (
    select json_agg(json_build_object('field', change ->> 'field', 'from', change ->> 'present', 'to', change ->> 'proposed') order by number)
    from jsonb_array_elements(imported.changes) with ordinality as changed (change, number)) end`,
  from: sql`registry_import_row as imported join registry_import using (import_uuid)
    where ${isOf("imported")} and imported.applied_version is not null and registry_import.status = 'applied'
      and (imported.before is null or imported.changes <> '[]')`,
};

/** What the reader may see besides open facts. */
type TimelineRights = { visits: boolean; tdbs: boolean; edits: boolean };

const partsFor = ({ visits: seesVisits, tdbs: seesTdbs, edits: seesEdits }: TimelineRights): Part[] => [
  visits,
  upgrades,
  ...(seesVisits ? [visitsNotCounted, corrections, notes, agreed, closed] : []),
  ...(seesTdbs ? [tdbs, tdbsNotCounted] : []),
  ...(seesEdits ? [edits("configuration", ofConfiguration), edits("registry", ofRegistry), imports] : []),
];

const newestFirst: Order = {
  columns: [
    { key: "at", column: "entry.at", type: "timestamptz" },
    { key: "id", column: "entry.id", type: "text" },
  ],
  descending: true,
  isComputed: true,
  edges: { facilityUuid: () => sql`true` },
};

/** A page of the timeline of each facility of `page.of`, the newest first. */
export function listTimeline(
  handle: Handle,
  { kind, rights, page }: { kind: TimelineKind | null; rights: TimelineRights; page: PageInput },
): Promise<Page<TimelineRow>> {
  const parts = partsFor(rights).filter((part) => kind === null || part.kind === kind);
  const query = handle
    .selectFrom(sql<never>`(${sql.join(parts.map(selected), sql` union all `)})`.as("entry"))
    .leftJoin("appUser", (join) => join.on("appUser.userUuid", "=", sql<string>`entry.user_uuid`))
    .select([
      sql<string>`entry.id`.as("id"),
      sql<string>`to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as("at"),
      sql<string>`entry.at::date`.as("date"),
      sql<string>`to_char(entry.at, 'HH24:MI')`.as("time"),
      sql<TimelineKind>`entry.kind`.as("kind"),
      sql<string>`entry.event`.as("event"),
      sql<string | null>`app_user.user_name`.as("userName"),
      sql<string | null>`entry.assessment_uuid`.as("assessmentUuid"),
      sql<string | null>`entry.text`.as("text"),
      sql<string | null>`entry.about`.as("about"),
      sql<string | null>`entry.set_aside_reason`.as("setAsideReason"),
      sql<string | null>`entry.held`.as("held"),
      sql<Record<string, unknown> | null>`entry.old`.as("old"),
      sql<Record<string, unknown> | null>`entry.new`.as("new"),
      sql<TimelineChange[] | null>`entry.changes`.as("changes"),
    ]);
  return readPage(query, newestFirst, page);
}
