import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";
import { directionOf } from "../../gateway/ledger/direction.rules.ts";

/** Recounts the ledger in the slow and obvious way, from all visits, TDBs, events, actions and notes. */

/** Instants as UTC texts that sort, days in the ministry's zone. */
type Dated = { at: string; day: string; facilityUuid: string; who: string | null };
type Visit = Dated & {
  assessmentUuid: string;
  works: boolean | null;
  primary: boolean | null;
  backup: boolean | null;
  version: string | null;
  mode: string;
  comment: string | null;
};
type Details = Record<string, Record<string, unknown> | null> & { reason?: string };
type Event = Dated & { id: string; action: string; subjectId: string | null; details: Details | null };
type Action = Dated & {
  uuid: string;
  text: string;
  state: string;
  reason: string | null;
  assessmentUuid: string | null;
  closedAt: string | null;
  closedDay: string | null;
  closedBy: string | null;
  closingAssessmentUuid: string | null;
};
/** A facility that a split gave to a new district or partner. */
type Split = Dated & { id: string; noun: string; old: Named; new: Named };
type Named = { name: string; province: string | null };
type ImportedRow = Dated & {
  id: string;
  written: Partial<Registered>;
  before: { facility: Registered } | null;
};
type Registered = { facilityName: string; districtId: number; implementingPartnerId: number | null };
export type RawLedger = Awaited<ReturnType<typeof readRawLedger>>;

/** Everything that is known of these facilities. */
export async function readRawLedger(handle: Handle, facilityUuids: readonly string[]) {
  const read = async <Row>(columns: string, from: string, at: string, by: string): Promise<Row[]> => {
    const query = `select ${columns}, facility_uuid, to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as at, ${at}::date::text as day,
      (select user_name from app_user where app_user.user_uuid = ${by}) as who from ${from}`;
    return (await sql<Row>`${sql.raw(query)} and facility_uuid = any(${facilityUuids}::text[])`.execute(handle)).rows;
  };
  const utc = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  const counted = "where set_aside_at is null";
  return {
    partners: new Map(
      (await handle.selectFrom("implementingPartner").selectAll().execute()).map((one) => [
        one.implementingPartnerId,
        one.name,
      ]),
    ),
    visits: await read<Visit>(
      "assessment_uuid, smart_care_functional as works, primary_power_working as primary, backup_power_working as backup, library_version as version, functionality_status_mode as mode, closing_comments as comment",
      `assessment ${counted}`,
      "assessed_at",
      "assessment.user_uuid",
    ),
    knownVisits: (await handle.selectFrom("assessment").select("assessmentUuid").execute()).map(
      ({ assessmentUuid }) => assessmentUuid,
    ),
    tdbs: await read<Dated & { made: string }>(
      "tdb_created_at::date::text as made",
      `tdb ${counted}`,
      "uploaded_at",
      "tdb.user_uuid",
    ),
    events: await read<Event>(
      "audit_event_id::text as id, action, subject_id, details",
      "audit_event where outcome = 'done' and facility_uuid is not null",
      "occurred_at",
      "audit_event.user_uuid",
    ),
    splits: await read<Split>(
      "audit_event_id::text as id, subject_type as noun, details -> 'old' as old, details -> 'new' as new",
      `(select audit_event_id, subject_type, details, occurred_at, user_uuid, jsonb_array_elements_text(details -> 'facilityUuids') as facility_uuid
        from audit_event where action = 'place.split' and outcome = 'done') as event where true`,
      "occurred_at",
      "event.user_uuid",
    ),
    imported: await read<ImportedRow>(
      "import_uuid || ' ' || line as id, written, before",
      "registry_import_row join registry_import using (import_uuid) where status = 'applied' and applied_version is not null",
      "applied_at",
      "registry_import.applied_by",
    ),
    districts: new Map(
      (
        await sql<{ districtId: number; words: string }>`
          select district_id, district.name || ', ' || province.name as words from district join province using (province_id)`.execute(
          handle,
        )
      ).rows.map(({ districtId, words }) => [districtId, words]),
    ),
    actions: await read<Action>(
      `action_uuid as uuid, text, state, reason, assessment_uuid, ${utc("closed_at")} as closed_at, closed_at::date::text as closed_day,
        (select user_name from app_user where app_user.user_uuid = closed_by) as closed_by, closing_assessment_uuid`,
      "action where true",
      "agreed_at",
      "action.user_uuid",
    ),
    notes: await read<Dated & { uuid: string; kind: string; comment: string }>(
      "note_uuid as uuid, kind, comment",
      "worklist_note where true",
      "written_at",
      "worklist_note.user_uuid",
    ),
  };
}

type Entry = {
  id: string;
  at: string;
  day: string;
  facilityUuid: string;
  kind: Parameters<typeof directionOf>[0]["kind"];
  event: string;
  from: string | null;
  to: string;
  who: string | null;
  comment: string | null;
  source: string;
  assessmentUuid: string | null;
};

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const yesNo = (answer: unknown): string | null => (answer === true ? "yes" : answer === false ? "no" : null);
const either = (one: boolean | null, other: boolean | null) =>
  one === true || other === true ? true : one === null || other === null ? null : false;
const facts: [Entry["kind"], (visit: Visit) => string | null][] = [
  ["works", ({ works }) => yesNo(works)],
  ["power", ({ primary, backup }) => yesNo(either(primary, backup))],
  ["backupPower", ({ backup }) => yesNo(backup)],
  ["version", ({ version }) => version?.trim() || null],
  ["mode", ({ mode }) => mode],
];

function ofVisits(visits: Visit[]): Entry[] {
  const ordered = visits.toSorted((a, b) => (`${a.at}${a.assessmentUuid}` < `${b.at}${b.assessmentUuid}` ? -1 : 1));
  return facts.flatMap(([kind, factOf]) => {
    let known: string | null = null;
    return ordered.flatMap((visit) => {
      const [from, to] = [known, factOf(visit)];
      known = to ?? known;
      if (to === null || to === from) return [];
      const { at, day, facilityUuid, who, assessmentUuid, comment } = visit;
      const id = `${kind} ${assessmentUuid}`;
      const said = { who, comment: comment?.trim() || null, source: "visit", assessmentUuid };
      return [{ id, at, day, facilityUuid, kind, event: kind, from: from ?? "not recorded", to, ...said }];
    });
  });
}

/** Day by day: whether data is overdue at its end. */
function ofTdbs(
  facilityUuid: string,
  tdbs: RawLedger["tdbs"],
  { start, end, rhythm }: { start: string; end: string; rhythm: number },
): Entry[] {
  const stateOn = (day: string) => {
    const made = tdbs.filter((one) => one.day <= day).map((one) => one.made);
    if (made.length === 0) return "no data";
    return dayAfter(made.toSorted().at(-1)!, rhythm) < day ? "overdue" : "in time";
  };
  const entries: Entry[] = [];
  if (tdbs.length === 0) return entries;
  let before = stateOn(dayAfter(start, -1));
  for (let day = start; day <= end; day = dayAfter(day, 1)) {
    const state = stateOn(day);
    // Midnight in Lusaka is 22:00 of the day before in UTC.
    const at = `${dayAfter(day, -1)}T22:00:00.000000`;
    if (state !== before)
      entries.push({
        ...{ id: `silence ${facilityUuid} ${day}`, at, day, facilityUuid, kind: "silence", event: "silence" },
        ...{ from: before, to: state, who: null, comment: null, source: "tdb", assessmentUuid: null },
      });
    before = state;
  }
  return entries;
}

function ofEvent({ partners }: RawLedger, known: ReadonlySet<string>, event: Event): Entry[] {
  const { id, at, day, facilityUuid, who, action, subjectId, details } = event;
  const [old, present] = [details?.["old"] ?? {}, details?.["new"] ?? {}];
  const row = (kind: Entry["kind"], name: string, from: string | null, to: string): Entry[] =>
    from === to
      ? []
      : [
          {
            ...{ id: `${name} ${id}`, at, day, facilityUuid, kind, event: name, from, to, who },
            ...{ comment: (present["reason"] as string | undefined) ?? null, source: "facility", assessmentUuid: null },
          },
        ];
  const partnerOf = (state: Record<string, unknown>) =>
    partners.get(state["implementingPartnerId"] as number) ?? "none";
  const said = (state: Record<string, unknown>, name: string) => yesNo(state[name]) ?? "not recorded";
  const aside = (source: string, isAside: boolean): Entry[] => [
    {
      ...{ id: `setAside ${id}`, at, day, facilityUuid, kind: "setAside", event: isAside ? "setAside" : "restored" },
      ...{ from: isAside ? "counted" : "set aside", to: isAside ? "set aside" : "counted", who },
      ...{ comment: details?.reason ?? null, source },
      assessmentUuid: source === "visit" && known.has(subjectId!) ? subjectId : null,
    },
  ];
  switch (action) {
    case "facility.settings":
      return row("partner", "partner", partnerOf(old), partnerOf(present));
    case "facility.connectivity":
      return [
        ...row("connectivity", "internet", said(old, "present"), said(present, "present")),
        ...row("connectivity", "mobile", said(old, "mobileCoverage"), said(present, "mobileCoverage")),
      ];
    case "facility.add":
      return row("registry", "added", "not listed", "listed");
    case "facility.close":
      return row("registry", "closed", old["closedOn"] == null ? "open" : "closed", "closed");
    case "facility.reopen":
      return row("registry", "reopened", "closed", "open");
    case "facility.change": {
      type Place = Record<string, string>;
      const [a, b] = [old["facility"] as Place, present["facility"] as Place];
      return [
        ...row("registry", "renamed", a["facilityName"]!, b["facilityName"]!),
        ...row("registry", "moved", `${a["district"]}, ${a["province"]}`, `${b["district"]}, ${b["province"]}`),
        ...row("partner", "partner", partnerOf(a), partnerOf(b)),
      ];
    }
    case "facility.merge":
      return row("registry", "merged", (old["facility"] as Record<string, string>)["facilityName"]!, "merged");
    case "facility.unmerge":
      return row("registry", "parted", "merged", "listed");
    case "assessment.set-aside":
    case "assessment.restore":
      return aside("visit", action === "assessment.set-aside");
    case "tdb.set-aside":
    case "tdb.restore":
      return aside("tdb", action === "tdb.set-aside");
    default:
      return [];
  }
}

function ofSplit({ id, noun, old, new: made, at, day, facilityUuid, who }: Split): Entry {
  const isDistrict = noun === "district";
  const words = ({ name, province }: Named) => (isDistrict ? `${name}, ${province}` : name);
  const event = isDistrict ? "moved" : "partner";
  return {
    ...{ id: `${event} ${id} ${facilityUuid}`, at, day, facilityUuid, kind: isDistrict ? "registry" : "partner" },
    ...{ event, from: words(old), to: words(made), who, comment: null, source: "facility", assessmentUuid: null },
  };
}

function ofImport({ partners, districts }: RawLedger, imported: ImportedRow): Entry[] {
  const { id, written, before, at, day, facilityUuid, who } = imported;
  const row = (kind: Entry["kind"], event: string, from: string | undefined, to: string | undefined): Entry[] =>
    from === undefined || to === undefined || from === to
      ? []
      : [
          {
            ...{ id: `${event} ${id}`, at, day, facilityUuid, kind, event, from, to, who },
            ...{ comment: null, source: "import", assessmentUuid: null },
          },
        ];
  if (!before) return row("registry", "added", "not listed", "listed");
  const [old, present] = [before.facility, { ...before.facility, ...written }];
  const partnerOf = ({ implementingPartnerId: partner }: Registered) => partners.get(partner!) ?? "none";
  return [
    ...row("registry", "renamed", old.facilityName, present.facilityName),
    ...row("registry", "moved", districts.get(old.districtId), districts.get(present.districtId)),
    ...row("partner", "partner", partnerOf(old), partnerOf(present)),
  ];
}

function ofActions(actions: Action[]): Entry[] {
  return actions.flatMap((action) => {
    const { uuid, text, reason, facilityUuid, at, day, who, closedAt, closedDay } = action;
    const own = { facilityUuid, kind: "action", source: "action" } as const;
    const agreed: Entry = {
      ...{ ...own, id: `agreed ${uuid}`, at, day, event: "agreed", from: null, to: "agreed", who, comment: text },
      assessmentUuid: action.assessmentUuid,
    };
    if (closedAt === null || closedDay === null) return [agreed];
    const closed: Entry = {
      ...{ ...own, id: `closed ${uuid}`, at: closedAt, day: closedDay, event: action.state, from: "agreed" },
      ...{ to: action.state, who: action.closedBy, comment: reason === null ? text : `${text}: ${reason}` },
      assessmentUuid: action.closingAssessmentUuid,
    };
    return [agreed, closed];
  });
}

/** Rows by a key. */
export function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const lists = new Map<string, Row[]>();
  for (const row of rows) {
    const list = lists.get(keyOf(row)) ?? [];
    lists.set(keyOf(row), list);
    list.push(row);
  }
  return lists;
}

export type Asked = { start: string; end: string; today: string; rhythm: number };

/** All rows of these facilities in a period, the newest first, for a person who may see everything. */
export function recountLedger(raw: RawLedger, facilityUuids: readonly string[], { start, end, today, rhythm }: Asked) {
  const last = end < today ? end : today;
  const of = <Row extends { facilityUuid: string }>(rows: Row[]) => {
    const lists = grouped(rows, ({ facilityUuid }) => facilityUuid);
    return (facilityUuid: string) => lists.get(facilityUuid) ?? [];
  };
  const [visits, tdbs, events, actions] = [of(raw.visits), of(raw.tdbs), of(raw.events), of(raw.actions)];
  const [notes, splits, imported] = [of(raw.notes), of(raw.splits), of(raw.imported)];
  const known = new Set(raw.knownVisits);
  const entries = facilityUuids.flatMap((facilityUuid) => [
    ...ofVisits(visits(facilityUuid)),
    ...ofTdbs(facilityUuid, tdbs(facilityUuid), { start, end: last, rhythm }),
    ...events(facilityUuid).flatMap((event) => ofEvent(raw, known, event)),
    ...splits(facilityUuid).map(ofSplit),
    ...imported(facilityUuid).flatMap((row) => ofImport(raw, row)),
    ...ofActions(actions(facilityUuid)),
    ...notes(facilityUuid).map(({ uuid, kind, at, day, who, comment }): Entry => ({
      ...{ id: `note ${uuid}`, at, day, facilityUuid, kind: "note", event: kind, from: null, to: "noted", who },
      ...{ comment, source: "worklist", assessmentUuid: null },
    })),
  ]);
  return entries
    .filter(({ day }) => day >= start && day <= last)
    .toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
    .map(({ at: _at, ...entry }) => ({ ...entry, direction: directionOf(entry) }));
}
