import { matchPath } from "@remix-run/router";
import { beforeAll, expect, test } from "vitest";

import { worklistKinds } from "../../db/situation/state.rules.ts";
import { chartModes, implementationMode } from "../../client/dash/figures.ts";
import { modeLink } from "../../client/dash/series.ts";
import { readReportScope, reportParams } from "../../client/dash/reportScope.ts";
import { allPartners, type OverviewScope, scopeVariables } from "../../client/dash/scope.ts";
import { type ModeScope, routes } from "../../client/routes.ts";
import { namedScreens } from "../../client/screens.ts";
import { directionOf, directionTitles, nameOf } from "../../client/ledger/ledgerWords.ts";
import { noPartner, readFilter, readVariables } from "../../client/facility/facilityFilter.ts";
import { figureLink, type FigureName, unitFigureLink, worklistLink } from "../../client/situation/situationLinks.ts";
import { readWorklist } from "../../client/worklist/worklistAddress.ts";
import { countedBy, figures, rests } from "../../client/situation/situationFigures.ts";
import { kindOf } from "../../client/action/worklistKinds.ts";
import { diceFrom, userUuid } from "../dash/dash-data.ts";
import { bodyOf } from "../support/gateway.ts";
import { changedBy, noteEntry } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { isShort } from "../support/short.ts";
import { changesOf, type ChangedFacility } from "./situation-changes.ts";

/**
 * Each figure of the situation (sentence, units, work list), each bar of the mode chart, each tile of "What changed" and
 * each partner's number above a list of facilities is compared with the list that it opens, in random states: a scope, a
 * partner, a period and a figure while the country changes; a thousand of them in the long run. The client's own
 * functions make the links and read the addresses.
 */

const dice = diceFrom(17);
const [rounds, samplesOfRound, statesOfRound, changesOfRound] = isShort ? [3, 2, 20, 12] : [10, 8, 100, 12];
let facilities: ChangedFacility[];
let today: string;
const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const rows = await gateway.sql<{ today: string }>`select (now() at time zone 'Africa/Lusaka')::date::text as today`;
  today = rows[0]!.today;
  await gateway.sql`delete from smartcare_version`;
  await gateway.sql`insert into smartcare_version (library_version, database_version) values ('4.9', '1'), ('4.10', '1')`;
  await gateway.sql`update app_user set user_uuid = ${userUuid} where user_name = 'newcomer'`;
  facilities = await gateway.db
    .selectFrom("facility")
    .select(["facilityUuid", "provinceId", "districtId", "implementingPartnerId"])
    .where("closedOn", "is", null)
    .orderBy("facilityUuid")
    .execute();
});

/** A figure of a screen, and the path that it links to. */
type State = { name: string; figure: number; path: string | undefined };
type Field = { field: "facilities" | "worklist" | "ledger"; args: Record<string, unknown> };

const types: Record<string, string> = {
  ...{
    provinceId: "Int",
    districtId: "Int",
    implementingPartnerId: "Int",
    year: "Int",
    quarter: "Int",
    month: "Int",
    search: "String",
  },
  ...{ mode: "FunctionalityStatusMode", filter: "FacilityFilter", kind: "WorklistKind!", show: "WorklistShow" },
  ...{ start: "Date", direction: "LedgerDirection" },
};

/** As "What changed" reads its address. */
function ledgerArguments(url: URLSearchParams) {
  const { scope, partner } = readReportScope(url);
  const direction = url.get("direction");
  return { ...scopeVariables(scope, partner), start: url.get("since"), direction: direction && nameOf(direction) };
}

/** The field and arguments with which the screen at a path queries its list. */
function listAt(path: string): Field {
  const url = new URL(path, "http://screen");
  for (const [name, { path: pattern }] of namedScreens) {
    const params = matchPath(pattern, url.pathname)?.params;
    if (!params) continue;
    if (name === "changes") return { field: "ledger", args: ledgerArguments(url.searchParams) };
    if (name === "worklist") return { field: "worklist", args: readWorklist({ params, url: url.searchParams }) };
    const filter = name.startsWith("facilit") ? readFilter(params, url.searchParams) : undefined;
    if (filter) return { field: "facilities", args: readVariables(params, filter, url.searchParams) };
  }
  throw new Error(`No list is at ${path}`);
}

/** How many rows each list has. All are read with one query. */
async function countsOf(lists: readonly Field[]): Promise<number[]> {
  const given = lists.map(({ args }, at) =>
    Object.entries(args).flatMap(([name, value]) =>
      types[name] === undefined || value == null ? [] : [{ name, value, variable: `${name}${at}` }],
    ),
  );
  const declared = given
    .flat()
    .map(({ name, variable }) => `$${variable}: ${types[name]}`)
    .join(", ");
  const fields = lists.map(
    ({ field }, at) =>
      `l${at}: ${field}(${[...given[at]!.map(({ name, variable }) => `${name}: $${variable}`), "first: 1"].join(", ")}) { totalCount }`,
  );
  const { data, errors } = await admin.graphql(
    `query${declared && ` (${declared})`} { ${fields.join(" ")} }`,
    Object.fromEntries(given.flat().map(({ variable, value }) => [variable, value])),
  );
  expect(errors).toBeUndefined();
  return lists.map((_, at) => data[`l${at}`].totalCount);
}

/** Every figure of the situation of a scope, and the bars of its mode chart in a period. */
async function statesOf(
  scope: OverviewScope,
  partner: number,
  period: { year: number; quarter: number; view: "MONTHLY" | "QUARTERLY" | "YEARLY" },
): Promise<State[]> {
  const of = scopeVariables(scope, partner) satisfies ModeScope;
  const names = [
    "facilities",
    "assessed",
    "functional",
    "power",
    "silent",
    "oldVersion",
    "withoutPosition",
  ] as const satisfies FigureName[];
  const { data, errors } = await admin.graphql(
    `query ($year: Int!, $quarter: Int!, $view: DashboardView!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
      situation(provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
        level ${names.map((name) => `${name} { value of notRecorded }`).join(" ")} worklist { kind entries snoozed }
        units { hxId facilityUuid name facilities assessed functional power notRecordedFunctional notRecordedPower expected silent oldVersion }
      }
      deploymentMode(year: $year, quarter: $quarter, view: $view, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
        year quarter calMonth efirst efast elast partial notDeployed notOperational
      }
    }`,
    { ...period, ...of },
  );
  expect(errors).toBeUndefined();
  const { situation, deploymentMode } = data;
  type Counts = Record<string, number> & { facilities: number };
  const counts: Counts = {
    ...Object.fromEntries(names.map((name) => [name, situation[name].value])),
    facilities: situation.facilities.value,
    notRecordedFunctional: situation.functional.notRecorded,
    notRecordedPower: situation.power.notRecorded,
    expected: situation.silent.of,
  };
  /** The figures of tiles and of the table: what counts, what does not and what is not recorded. */
  const ofFigures = (of: Counts): { name: FigureName; figure: number | undefined }[] => [
    ...figures.flatMap((figure) => {
      const { value, of: whole, notRecorded } = countedBy(figure, of);
      const { name, unknown } = rests[figure];
      return [
        { name: figure, figure: value },
        { name, figure: whole - value - notRecorded },
        ...(unknown ? [{ name: unknown, figure: notRecorded }] : []),
      ];
    }),
    ...(["facilities", "oldVersion"] as const).map((name) => ({ name, figure: of[name] })),
  ];
  const where = JSON.stringify({ ...of, ...period });
  return [
    ...[...ofFigures(counts), { name: "withoutPosition" as const, figure: counts["withoutPosition"] }].map(
      ({ name, figure }) => ({ name: `${where}: ${name}`, figure, path: figureLink(name, of) }),
    ),
    ...situation.worklist.flatMap(({ kind, entries, snoozed }: { kind: string; entries: number; snoozed: number }) => [
      { name: `${where}: ${kind}`, figure: entries - snoozed, path: worklistLink(kindOf(kind), of) },
      { name: `${where}: ${kind}, snoozed`, figure: snoozed, path: worklistLink(kindOf(kind), of, "snoozed") },
    ]),
    ...(situation.level === "FACILITY" ? [] : situation.units).flatMap(
      (unit: Counts & { name: string; hxId: number }) =>
        ofFigures(unit).map(({ name, figure }) => ({
          name: `${where}: ${name} of ${unit.name}`,
          figure,
          path: unitFigureLink(name, situation.level, unit, of.implementingPartnerId),
        })),
    ),
    ...deploymentMode.flatMap(
      (row: { year: number; quarter: number; calMonth: number | null } & Record<string, number>) =>
        implementationMode.series.flatMap(({ sum, label }, at) =>
          sum === undefined
            ? []
            : [
                {
                  name: `${where}: ${label} in ${row.quarter} ${row.calMonth}`,
                  figure: row[sum],
                  path: modeLink(chartModes[at]!, scope, partner, row),
                },
              ],
        ),
    ),
  ] as State[];
}

/** The tiles of "What changed" since a day. */
async function tilesOf(of: ModeScope, since: string): Promise<State[]> {
  const { data, errors } = await admin.graphql<{ ledgerCounts: { direction: string; count: number }[] }>(
    `query ($start: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
      ledgerCounts(start: $start, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) { direction count }
    }`,
    { ...of, start: since },
  );
  expect(errors).toBeUndefined();
  return Object.keys(directionTitles).map((direction) => ({
    name: `${JSON.stringify({ ...of, since })}: ${direction}`,
    figure: data.ledgerCounts
      .filter((row) => directionOf(row.direction) === direction)
      .reduce((sum, { count }) => sum + count, 0),
    path: `${routes.changes({ ...reportParams(of, allPartners), since })}&direction=${direction}`,
  }));
}

/** The numbers by partner above the list at a path. */
async function splitOf(path: string): Promise<State[]> {
  const { provinceId, districtId, filter } = listAt(path).args;
  type Group = { facilities: number; implementingPartner: { implementingPartnerId: number } | null };
  const { data, errors } = await admin.graphql<{ facilityGroups: Group[] }>(
    `query ($provinceId: Int, $districtId: Int, $filter: FacilityFilter) {
      facilityGroups(by: [IMPLEMENTING_PARTNER], minimumSize: 1, first: 100, provinceId: $provinceId, districtId: $districtId, filter: $filter) {
        facilities implementingPartner { implementingPartnerId }
      }
    }`,
    { provinceId, districtId, filter },
  );
  expect(errors).toBeUndefined();
  return data.facilityGroups.map(({ facilities: figure, implementingPartner }) => {
    const partner = implementingPartner?.implementingPartnerId ?? noPartner;
    const of = `${path}${path.includes("?") ? "&" : "?"}implementingPartnerId=${partner}`;
    return { name: of, figure, path: of };
  });
}

/** Writes a note that hides an entry of the work list. */
async function snooze(): Promise<void> {
  const kind = dice.oneOf(worklistKinds);
  const entries = bodyOf<{ facilityUuid: string }[]>(await admin.get(`/api/v1/worklist/${kind}?limit=50`));
  if (entries.length === 0) return;
  const snoozedUntil = new Date(Date.parse(today) + 86_400_000 * (1 + dice.upTo(200))).toISOString().slice(0, 10);
  const { facilityUuid } = dice.oneOf(entries);
  await changedBy(noteEntry(admin, { kind, facilityUuid, comment: "Waits for a router", snoozedUntil }));
}

test("each figure and each bar opens a list of as many entries, in random states", async () => {
  const changes = [...changesOf({ db: gateway.db, dice, facilities, today }), snooze];
  let [compared, above] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    for (let change = 0; change < changesOfRound; change += 1) await dice.oneOf(changes)();
    const states: State[] = [];
    for (let sample = 0; sample < samplesOfRound; sample += 1) {
      const { provinceId, districtId, implementingPartnerId } = dice.oneOf(facilities);
      const partner = dice.oneOf([
        allPartners,
        implementingPartnerId ?? allPartners,
        dice.oneOf(facilities).implementingPartnerId ?? allPartners,
      ]);
      const scope = dice.oneOf<OverviewScope>([
        {},
        { provinceId },
        { districtId },
        implementingPartnerId === null ? {} : { implementingPartnerId },
      ]);
      const year = Number(today.slice(0, 4)) + dice.oneOf([-1, 0, 0, 1]);
      states.push(
        ...(await statesOf(scope, scope.implementingPartnerId === undefined ? partner : allPartners, {
          year,
          quarter: dice.oneOf([-1, 1, 2, 3, 4]),
          view: dice.oneOf(["MONTHLY", "QUARTERLY", "YEARLY"]),
        })),
      );
    }
    const { provinceId, districtId, implementingPartnerId } = dice.oneOf(facilities);
    const place = dice.oneOf([{}, { provinceId }, { districtId }]);
    const since = new Date(Date.parse(today) - 86_400_000 * dice.upTo(400)).toISOString().slice(0, 10);
    const others = [
      ...(await tilesOf({ ...place, ...(implementingPartnerId === null ? {} : { implementingPartnerId }) }, since)),
      ...(await splitOf(figureLink(dice.oneOf(["facilities", "withoutPower", "oldVersion"]), place))),
    ];
    const chosen = [...others, ...Array.from({ length: statesOfRound - others.length }, () => dice.oneOf(states))];
    for (let from = 0; from < chosen.length; from += 50) {
      const some = chosen.slice(from, from + 50);
      const counts = await countsOf(some.map(({ name, path }) => listAt(path ?? `no link: ${name}`)));
      expect(some.map(({ name, path }, at) => ({ name, path, figure: counts[at] }))).toEqual(
        some.map(({ name, path, figure }) => ({ name, path, figure })),
      );
      compared += some.length;
      above += some.filter(({ figure }) => figure > 0).length;
    }
  }
  expect(compared).toBe(rounds * statesOfRound);
  // Empty lists prove little.
  expect(above).toBeGreaterThan(compared / 3);
});
