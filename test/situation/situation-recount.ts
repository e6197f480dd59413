import type { Scope } from "../../db/list/scope.ts";
import { type Everything, facilitiesIn } from "../dash/dash-recount.ts";

/**
 * Recounts the situation in the slow and obvious way, from all assessments and TDBs of each facility up to a moment.
 */

const deployed = new Set<string | undefined>(["EFirst", "EFast", "ELast", "Partial"]);
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const last = <Row>(rows: Row[], rank: (row: Row) => string) =>
  rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).at(-1);

type Rows = Pick<Everything, "assessments" | "tdbs">;
const rows = new WeakMap<Everything, Map<string, Rows>>();
/** A facility's assessments and TDBs. */
function rowsOf(all: Everything, facilityUuid: string): Rows {
  let known = rows.get(all);
  if (!known) {
    known = new Map(all.facilities.map((facility) => [facility.facilityUuid, { assessments: [], tdbs: [] }]));
    for (const row of all.assessments) known.get(row.facilityUuid)!.assessments.push(row);
    for (const row of all.tdbs) known.get(row.facilityUuid)!.tdbs.push(row);
    rows.set(all, known);
  }
  return known.get(facilityUuid)!;
}

/** The state of a facility at the end of a day. */
function stateOf(all: Everything, facilityUuid: string, day: string, newest: string) {
  const { assessments, tdbs } = rowsOf(all, facilityUuid);
  const visits = assessments.filter((row) => row.local.slice(0, 10) <= day);
  const sent = tdbs.filter((row) => row.local.slice(0, 10) <= day);
  const visit = last(visits, (row) => `${row.local} ${row.assessmentUuid}`);
  type Visit = (typeof visits)[number];
  const works = (row: Visit | undefined) => row?.smartCareFunctional ?? null;
  /** One source that works is enough; that there is none needs a no of both. */
  const hasPower = (row: Visit | undefined) => {
    const both = new Set([row?.primaryPowerWorking ?? null, row?.backupPowerWorking ?? null]);
    return both.has(true) ? true : both.has(null) ? null : false;
  };
  /** The last answer that was recorded is no, and an earlier one yes. */
  const broke = (answerOf: (row: Visit) => boolean | null) => {
    const ordered = visits.toSorted((a, b) =>
      `${a.local} ${a.assessmentUuid}` < `${b.local} ${b.assessmentUuid}` ? -1 : 1,
    );
    const recorded = ordered
      .map((row) => ({ local: row.local, answer: answerOf(row) }))
      .filter(({ answer }) => answer !== null);
    const [lastYes, lastNo] = [true, false].map((is) => recorded.findLast(({ answer }) => answer === is)?.local);
    return lastYes !== undefined && lastNo !== undefined && lastNo > lastYes;
  };
  const made = sent
    .map((row) => row.created.slice(0, 10))
    .toSorted()
    .at(-1);
  const version = visit?.libraryVersion?.trim() ?? "";
  const order = ["4.5.0.9", "4.5.0.10", "4.10", newest];
  const expected = made !== undefined || deployed.has(visit?.functionalityStatusMode);
  return {
    assessed: visit !== undefined,
    functional: works(visit) === true,
    power: hasPower(visit) === true,
    notRecordedFunctional: visit !== undefined && works(visit) === null,
    notRecordedPower: visit !== undefined && hasPower(visit) === null,
    expected,
    silent: expected && (made === undefined || dayAfter(made, 30) < day),
    knownVersion: /\d/.test(version),
    oldVersion:
      /\d/.test(version) &&
      (order.includes(version)
        ? order.indexOf(version) < order.indexOf(newest)
        : version.localeCompare(newest, "en", { numeric: true }) < 0),
    stopped: broke(works),
    notVisited: visit !== undefined && dayAfter(visit.local.slice(0, 10), 180) <= day,
    lostPower: broke(hasPower),
    mode: visit?.functionalityStatusMode ?? "",
  };
}
export type State = ReturnType<typeof stateOf>;

const states = new WeakMap<Everything, Map<string, State>>();
/** The same, cached for each `all`. */
function remembered(all: Everything, facilityUuid: string, day: string, newest: string): State {
  const known = states.get(all) ?? new Map<string, State>();
  states.set(all, known);
  const key = `${facilityUuid} ${day}`;
  const state = known.get(key) ?? stateOf(all, facilityUuid, day, newest);
  known.set(key, state);
  return state;
}

const modes = {
  EFirst: "efirst",
  EFast: "efast",
  ELast: "elast",
  Partial: "partial",
  NotDeployed: "notDeployed",
  NotOperational: "notOperational",
  "": "noneRecorded",
};

type Query = { scope: Scope; today: string; newest: string; quarters: string[] };

/** Counts of the facilities of a scope. */
function counts(all: Everything, scope: Scope, { today, newest, quarters }: Query) {
  const facilities = facilitiesIn(all, scope);
  const at = (day: string) => facilities.map(({ facilityUuid }) => remembered(all, facilityUuid, day, newest));
  const now = at(today);
  const count = (of: State[], name: Exclude<keyof State, "mode">) => of.filter((state) => state[name]).length;
  const share = (of: State[]) => (count(of, "assessed") === 0 ? null : count(of, "functional") / count(of, "assessed"));
  const percent = (of: State[]) => (share(of) === null ? null : Math.round(1000 * share(of)!) / 10);
  const ends = quarters.map((_, index) =>
    index === quarters.length - 1 ? now : at(dayAfter(quarters[index + 1]!, -1)),
  );
  const [before, running] = [percent(ends.at(-2)!), percent(ends.at(-1)!)];
  return {
    now,
    before: ends.at(-2)!,
    count,
    unit: {
      facilities: facilities.length,
      ...Object.fromEntries(
        (
          [
            "assessed",
            "functional",
            "power",
            "notRecordedFunctional",
            "notRecordedPower",
            "expected",
            "silent",
            "knownVersion",
            "oldVersion",
          ] as const
        ).map((name) => [name, count(now, name)]),
      ),
      modes: Object.fromEntries(
        Object.entries(modes).map(([mode, name]) => [name, now.filter((state) => state.mode === mode).length]),
      ),
      functionalShareChange: before === null || running === null ? null : Math.round(10 * (running - before)) / 10,
      functionalTarget: null,
      functionalAttainment: null,
      quarters: quarters.map((periodStart, index) => ({
        periodStart,
        assessed: count(ends[index]!, "assessed"),
        functional: count(ends[index]!, "functional"),
        notRecordedFunctional: count(ends[index]!, "notRecordedFunctional"),
        power: count(ends[index]!, "power"),
        notRecordedPower: count(ends[index]!, "notRecordedPower"),
        expected: count(ends[index]!, "expected"),
        silent: count(ends[index]!, "silent"),
        functionalShare: share(ends[index]!),
      })),
    },
  };
}

/** All that REST returns for a scope, except `asAt`. */
export function recountSituation(all: Everything, query: Query) {
  const { scope, newest, quarters } = query;
  const { now, before, count, unit } = counts(all, scope, query);
  const figure = (
    name: Exclude<keyof State, "mode">,
    of: Exclude<keyof State, "mode"> | null,
    unknown?: "notRecordedFunctional" | "notRecordedPower",
  ) => {
    const [value, total] = [count(now, name), of === null ? unit.facilities : count(now, of)];
    const [valueBefore, ofBefore] = [count(before, name), of === null ? unit.facilities : count(before, of)];
    const notRecorded = unknown === undefined ? null : count(now, unknown);
    return {
      value,
      of: total,
      notRecorded,
      share: total === 0 ? null : value / total,
      percent: total === 0 ? null : Math.round((1000 * value) / total) / 10,
      valueBefore,
      ofBefore,
      change: value - valueBefore,
    };
  };
  const level = scope.districtId != null ? "facility" : scope.provinceId != null ? "district" : "province";
  const places =
    level === "province" ? all.provinces : all.districts.filter(({ provinceId }) => provinceId === scope.provinceId);
  const units = (places as { provinceId: number; districtId?: number; name: string }[])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, provinceId, districtId }) => ({
      hxId: districtId ?? provinceId,
      facilityUuid: null,
      name,
      ...counts(all, { ...scope, ...(districtId === undefined ? { provinceId } : { districtId }) }, query).unit,
    }));
  const positions = facilitiesIn(all, scope).filter(
    ({ latitude, longitude }) => latitude === null || longitude === null,
  ).length;
  return {
    quarterStart: quarters.at(-1),
    level,
    newestLibraryVersion: newest,
    facilities: {
      value: unit.facilities,
      of: null,
      notRecorded: null,
      share: null,
      percent: null,
      valueBefore: null,
      ofBefore: null,
      change: null,
    },
    assessed: figure("assessed", null),
    functional: figure("functional", "assessed", "notRecordedFunctional"),
    power: figure("power", "assessed", "notRecordedPower"),
    silent: figure("silent", "expected"),
    oldVersion: figure("oldVersion", "knownVersion"),
    withoutPosition: {
      ...{
        value: positions,
        of: unit.facilities,
        notRecorded: null,
        share: unit.facilities === 0 ? null : positions / unit.facilities,
        percent: unit.facilities === 0 ? null : Math.round((1000 * positions) / unit.facilities) / 10,
      },
      ...{ valueBefore: null, ofBefore: null, change: null },
    },
    modes: unit.modes,
    functionalTarget: null,
    quarters: unit.quarters,
    worklist: [
      { kind: "stopped", entries: count(now, "stopped"), snoozed: 0 },
      { kind: "lostPower", entries: count(now, "lostPower"), snoozed: 0 },
      { kind: "silent", entries: count(now, "silent"), snoozed: 0 },
      { kind: "oldVersion", entries: count(now, "oldVersion"), snoozed: 0 },
      { kind: "notVisited", entries: count(now, "notVisited"), snoozed: 0 },
    ],
    units: level === "facility" ? facilityUnits(all, query) : units,
  };
}

function facilityUnits(all: Everything, query: Query) {
  return facilitiesIn(all, query.scope)
    .toSorted((a, b) =>
      a.facilityName < b.facilityName
        ? -1
        : a.facilityName > b.facilityName
          ? 1
          : a.facilityUuid < b.facilityUuid
            ? -1
            : 1,
    )
    .map(({ facilityUuid, facilityName }) => {
      const {
        mode,
        stopped: _stopped,
        lostPower: _lostPower,
        notVisited: _notVisited,
        ...state
      } = remembered(all, facilityUuid, query.today, query.newest);
      return {
        ...{ hxId: null, facilityUuid, name: facilityName, facilities: 1 },
        ...Object.fromEntries(Object.entries(state).map(([name, is]) => [name, Number(is)])),
        modes: Object.fromEntries(Object.entries(modes).map(([each, name]) => [name, Number(each === mode)])),
        ...{ functionalShareChange: null, functionalTarget: null, functionalAttainment: null, quarters: [] },
      };
    });
}
