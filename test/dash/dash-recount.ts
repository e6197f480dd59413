import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";
import type { Scope } from "../../db/list/scope.ts";

/**
 * Recounts the dashboards' figures in the slow and obvious way, from every assessment and TDB, without the product's
 * calendar, roll-ups and queries.
 */

export type Everything = Awaited<ReturnType<typeof readEverything>>;

/** All assessments, TDBs and facilities, with local times of the zone as text. */
export async function readEverything(handle: Handle, zone: string) {
  const local = (column: string) =>
    sql<string>`to_char(${sql.ref(column)} at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS.US')`;
  return {
    provinces: await handle.selectFrom("province").selectAll().execute(),
    districts: await handle.selectFrom("district").selectAll().execute(),
    partners: await handle.selectFrom("implementingPartner").selectAll().execute(),
    facilities: await handle.selectFrom("facility").selectAll().where("closedOn", "is", null).execute(),
    assessments: await handle.selectFrom("assessment").selectAll().select(local("assessedAt").as("local")).execute(),
    tdbs: await handle
      .selectFrom("tdb")
      .selectAll()
      .select([local("uploadedAt").as("local"), local("tdbCreatedAt").as("created")])
      .execute(),
    computers: await handle.selectFrom("tdbComputer").selectAll().execute(),
  };
}

/**
 * Whether a local time lies in a fiscal year, in one of its quarters (-1: any) and in one calendar month (null: any).
 */
export function isIn(local: string, year: number, quarter: number, calMonth: number | null): boolean {
  const [calYear, month] = local.split("-").map(Number) as [number, number];
  const quarters = { 10: 1, 11: 1, 12: 1, 1: 2, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4, 9: 4 } as Record<
    number,
    number
  >;
  const fiscalYear = month > 9 ? calYear + 1 : calYear;
  return (
    fiscalYear === year && (quarter === -1 || quarters[month] === quarter) && (calMonth === null || month === calMonth)
  );
}

export function facilitiesIn({ facilities }: Everything, scope: Scope) {
  return facilities.filter((facility) =>
    (Object.keys(scope) as (keyof Scope)[]).every((key) => scope[key] == null || facility[key] === scope[key]),
  );
}

const latest = <Row>(rows: Row[], rank: (row: Row) => string): Row | undefined =>
  rows.reduce<Row | undefined>((best, row) => (best === undefined || rank(row) > rank(best) ? row : best), undefined);

/** Each facility's latest assessment among those of a period. */
export function latestAssessments(all: Everything, scope: Scope, isWithin: (local: string) => boolean) {
  return facilitiesIn(all, scope).flatMap(({ facilityUuid }) => {
    const visits = all.assessments.filter((row) => row.facilityUuid === facilityUuid && isWithin(row.local));
    return latest(visits, (row) => `${row.local} ${row.assessmentUuid}`) ?? [];
  });
}

/** Each facility's latest TDB among those received in a period: by creation, then receipt. */
export function latestTdbs(all: Everything, scope: Scope, isWithin: (local: string) => boolean) {
  return facilitiesIn(all, scope).flatMap((facility) => {
    const received = all.tdbs.filter((row) => row.facilityUuid === facility.facilityUuid && isWithin(row.local));
    const winner = latest(received, (row) => `${row.created} ${row.local} ${row.tdbUuid}`);
    return winner ? [{ ...winner, facility, count: received.length }] : [];
  });
}

type Query = { year: number; quarter: number; scope: Scope };

/** `today` decides which periods have ended, are running or lie ahead. */
export function recountRows(
  all: Everything,
  {
    year,
    quarter,
    view,
    scope,
    years = 1,
    today = new Date().toLocaleDateString("en-CA", { timeZone: "Africa/Lusaka" }),
  }: Query & { view: string; years?: number; today?: string },
) {
  if (years > 1)
    return Array.from({ length: years }, (_, index) => year - years + 1 + index).flatMap((each): Row[] =>
      recountYear(all, { year: each, quarter, view, scope, today }),
    );
  return recountYear(all, { year, quarter, view, scope, today });
}

/** The number of a row's first month, counted from year 0, and how many months the row covers. */
const monthsOfRow = (year: number, quarter: number, calMonth: number | null): [first: number, count: number] => {
  if (calMonth !== null) return [(calMonth > 9 ? year - 1 : year) * 12 + calMonth - 1, 1];
  return quarter === -1 ? [(year - 1) * 12 + 9, 12] : [(year - 1) * 12 + 9 + (quarter - 1) * 3, 3];
};

type Row = ReturnType<typeof recountYear>[number];
function recountYear(all: Everything, { year, quarter, view, scope, today }: Query & { view: string; today: string }) {
  const now = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1;
  const places =
    view === "yearly"
      ? [[quarter, null] as const]
      : view === "quarterly"
        ? [1, 2, 3, 4].map((each) => [each, null] as const)
        : [10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((month, index) => [1 + Math.floor(index / 3), month] as const);
  return places
    .filter(([each]) => quarter === -1 || each === quarter)
    .map(([each, calMonth]) => {
      const [first, count] = monthsOfRow(year, each, calMonth);
      const visits = latestAssessments(all, scope, (local) => isIn(local, year, each, calMonth));
      const having = (is: (visit: (typeof visits)[number]) => boolean | null) =>
        visits.filter((visit) => is(visit) === true).length;
      return {
        year,
        quarter: each,
        calMonth,
        state: first > now ? "AHEAD" : first + count > now ? "RUNNING" : "ENDED",
        facilities: facilitiesIn(all, scope).length,
        assessed: visits.length,
        sumTrainedStaff: visits.reduce((sum, visit) => sum + visit.numberOfStaffTrainedInSmartCare, 0),
        notRecordedSmartCareFunctional: having((visit) => visit.smartCareFunctional === null),
        notRecordedPrimaryPower: having((visit) => visit.primaryPower === null),
        notRecordedPrimaryPowerWorking: having((visit) => visit.primaryPowerWorking === null),
        notRecordedBackupPower: having((visit) => visit.backupPower === null),
        notRecordedBackupPowerWorking: having((visit) => visit.backupPowerWorking === null),
        sumSmartCareFunctional: having((visit) => visit.smartCareFunctional),
        sumPrimaryPower: having((visit) => visit.primaryPower),
        sumPrimaryPowerWorking: having((visit) => visit.primaryPowerWorking),
        sumBackupPower: having((visit) => visit.backupPower),
        sumBackupPowerWorking: having((visit) => visit.backupPowerWorking),
        efirst: having((visit) => visit.functionalityStatusMode === "EFirst"),
        efast: having((visit) => visit.functionalityStatusMode === "EFast"),
        elast: having((visit) => visit.functionalityStatusMode === "ELast"),
        partial: having((visit) => visit.functionalityStatusMode === "Partial"),
        notDeployed: having((visit) => visit.functionalityStatusMode === "NotDeployed"),
        notOperational: having((visit) => visit.functionalityStatusMode === "NotOperational"),
      };
    });
}

const tally = (params: string[], order: string[], of: number, amounts: number[] = params.map(() => 1)) =>
  order.flatMap((param) => {
    const value = params.reduce((sum, each, index) => (each === param ? sum + amounts[index]! : sum), 0);
    return params.includes(param) ? [{ param, value, of }] : [];
  });

/** `order`: all versions that the data may contain, in the order of the list. */
export function recountVersions(
  all: Everything,
  { year, quarter, scope }: Query,
  order = ["4.5.0.9", "4.5.0.10", "4.10"],
) {
  const visits = latestAssessments(all, scope, (local) => isIn(local, year, quarter, null));
  return tally(
    visits.flatMap((visit) => visit.libraryVersion?.trim() || []),
    order,
    visits.length,
  );
}

export function recountComputers(all: Everything, { year, quarter, scope }: Query) {
  const winners = latestTdbs(all, scope, (local) => isIn(local, year, quarter, null));
  const computers = all.computers.filter(({ tdbUuid }) => winners.some((winner) => winner.tdbUuid === tdbUuid));
  const amounts = computers.map((row) => row.computers);
  const of = amounts.reduce((sum, each) => sum + each, 0);
  return {
    cpuCore: tally(
      computers.map((row) => String(row.cpuCores)),
      ["1", "2", "4", "8", "16"],
      of,
      amounts,
    ),
    osX64: tally(
      computers.map((row) => (row.os64Bit ? "64-bit" : "32-bit")),
      ["64-bit", "32-bit"],
      of,
      amounts,
    ),
  };
}

export function recountHistory(
  all: Everything,
  { level, start, end, scope }: { level: string; start: string; end: string; scope: Scope },
) {
  const received = latestTdbs(all, scope, (local) => local.slice(0, 10) >= start && local.slice(0, 10) <= end);
  const district = all.districts.find(({ districtId }) => districtId === scope.districtId);
  const units =
    level === "province"
      ? all.provinces.map(({ provinceId, name }) => ({ hxId: provinceId, name, provinceId }))
      : all.districts.map(({ districtId, name, provinceId }) => ({ hxId: districtId, name, provinceId, districtId }));
  return units
    .filter((unit) => scope.provinceId == null || unit.provinceId === scope.provinceId)
    .filter(
      (unit) =>
        !district ||
        ("districtId" in unit ? unit.districtId : unit.provinceId) ===
          (level === "province" ? district.provinceId : district.districtId),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ hxId, name }) => {
      const here = received.filter(
        ({ facility }) => (level === "province" ? facility.provinceId : facility.districtId) === hxId,
      );
      return {
        hxId,
        name,
        components: here.length,
        of: facilitiesIn(all, scope).filter(
          (facility) => (level === "province" ? facility.provinceId : facility.districtId) === hxId,
        ).length,
        tdbCount: here.reduce((sum, row) => sum + row.count, 0),
        totalPatients: here.reduce((sum, row) => sum + row.totalPatients, 0),
      };
    });
}

export function recountHistoryFacilities(
  all: Everything,
  { start, end, scope }: { start: string; end: string; scope: Scope },
) {
  return latestTdbs(all, scope, (local) => local.slice(0, 10) >= start && local.slice(0, 10) <= end)
    .map(({ facility, local, totalPatients }) => ({
      facilityId: facility.facilityUuid,
      districtName: all.districts.find(({ districtId }) => districtId === facility.districtId)!.name,
      facilityName: facility.facilityName,
      dateUploaded: local.slice(0, 10),
      totalPatients,
    }))
    .toSorted((a, b) => (`${a.districtName}\0${a.facilityName}` < `${b.districtName}\0${b.facilityName}` ? -1 : 1));
}
