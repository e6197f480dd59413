import { type RawBuilder, sql } from "kysely";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { orders, questionIn, queryOf, ways } from "../../client/query/question.ts";
import { subjects } from "../../client/query/questionSubjects.ts";
import { diceFrom, insertHistory, insertRandomHistory, userUuid } from "../dash/dash-data.ts";
import { screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";
import { median, receiptDay, sent, sites, state, twins, visitDay } from "./questionTwins.ts";

/**
 * The questions of docs/questions.md built by clicks, each from an empty builder: what the page shows, what the query
 * that it writes answers and what plain SQL counts are the same, over random histories.
 */

// Kept answers would outlive the rows of a history, which is written without triggers.
const [browser, gateway] = await screensOfFile("demo", { keptAnswerBytes: 0 });
const admin = await gateway.as("admin");

/** The days of the ranges that are asked for. Months and quarters are whole ones. */
const [days] = await gateway.sql<
  Record<"today" | "day180" | "month24" | "month12" | "monthEnd" | "quarter4" | "quarter1" | "quarterEnd", string> &
    Record<"year" | "later", number>
>`
  select today::text, (today - 179)::text as day180, (month - interval '24 months')::date::text as month24,
    (month - interval '12 months')::date::text as month12, (month - interval '1 day')::date::text as month_end,
    (quarter - interval '12 months')::date::text as quarter4, (quarter - interval '3 months')::date::text as quarter1,
    (quarter - interval '1 day')::date::text as quarter_end, extract(year from month - interval '9 months')::int as year,
    (12 * (extract(year from today) - 2026) + extract(month from today) - 11)::int as later
  from (select current_date as today, date_trunc('month', current_date) as month, date_trunc('quarter', current_date) as quarter) as now`;
const { today, day180, month24, month12, monthEnd, quarter4, quarter1, quarterEnd, year, later } = days!;
const lastMonths = { start: month12, end: monthEnd };

/**
 * Many sites get visits and TDBs up to the end of last month instead of their own. Visits are received up to forty days
 * later, some with notes.
 */
async function makeHistory(seed: number): Promise<void> {
  await insertHistory(gateway.db, async (handle) => {
    for (const table of ["assessment", "tdb"])
      await sql`delete from ${sql.table(table)} where facility_uuid in (select facility_uuid from facility order by 1 limit 151)`.execute(
        handle,
      );
  });
  await insertRandomHistory(gateway.db, seed, 300, 150, later);
  await insertHistory(gateway.db, (handle) =>
    sql`update assessment set received_at = assessed_at + make_interval(hours => ('x' || right(assessment_uuid::text, 4))::bit(16)::int % 960),
        other_issues = (array['The network failed', 'A new Inverter', null])[1 + ('x' || right(assessment_uuid::text, 2))::bit(8)::int % 3]
      where user_uuid = ${userUuid}`.execute(handle),
  );
}

type Sql = RawBuilder<unknown>;
/** Some columns (a, b …) of the answer to a question of the guide. */
const twin = (name: string, columns: string, picked: Sql, variables: Parameters<(typeof twins)[string]>[0] = {}) =>
  sql`select ${picked} from (${twins[name]!(variables)}) as twin (${sql.raw(columns)})`;
/** Each facility's latest visit of these days. */
const within = (start: string, end: string) =>
  sql`(select distinct on (facility_uuid) * from assessment where ${visitDay} between ${start}::date and ${end}::date
    order by facility_uuid, assessed_at desc, assessment_uuid desc)`;
const monthBefore = (day: string) => sql`(${day}::date - interval '12 months')::date`;
const calendar = sql`extract(year from b::date + interval '3 months')::int, (extract(quarter from b::date)::int % 4) + 1, extract(month from b::date)::int`;
const noting = (text: string) => sql`
  select province.name, count(*) from assessment join facility using (facility_uuid) join province using (province_id)
  where ${visitDay} between ${month12}::date and ${monthEnd}::date
    and (concat_ws(' | ', primary_power_notes, backup_power_notes, other_issues, closing_comments) ilike '%' || ${text} || '%'
      or exists (select from service_area_assessment as area where area.assessment_uuid = assessment.assessment_uuid and additional_notes ilike '%' || ${text} || '%'))
  group by 1`;
const counted = (name: string, unit: string, where: Sql) =>
  sql`select ${sql.ref(name)}, count(*) from ${sites} where facility.closed_on is null and ${where} group by ${sql.raw(unit)}, 1`;

/**
 * What is clicked: a choice and its option, a field and its text, or a box that is ticked. Then the SQL of the rows.
 */
type Built = { clicks: [label: string, value?: string][]; answer: Sql };
const visits: [string, string] = ["Count", "Visits"];
const tdbs: [string, string] = ["Count", "TDBs"];
const province: [string, string] = ["By", "Province"];
const partner: [string, string] = ["By", "Implementing partner"];
const counting: [string, string] = ["Figure", "Sites"];
const only = (filter: string, value: string): [string, string][] => [
  ["Only where", filter],
  [filter, value],
];
const questions: Record<keyof typeof twins, Built> = {
  MedianDaysBetweenVisits: {
    clicks: [visits, ["Figure", "Days between two visits, in the median"], province],
    answer: twin("MedianDaysBetweenVisits", "a, b, c, d", sql`a, c, d`, lastMonths),
  },
  MovedToEFirst: {
    clicks: [counting, partner, ...only("Changed", "from E-Last to E-First in the last 12 months")],
    answer: twin("MovedToEFirst", "a, b", sql`a, b`, { from: month12, to: today }),
  },
  StaffPerDistrictAndQuarter: {
    clicks: [
      ["Figure", "Staff trained"],
      ["And by", "Quarter"],
      ["Period", "Last fiscal year"],
    ],
    answer: twin("StaffPerDistrictAndQuarter", "a, b, c, d", sql`a, ${year}::int, b, d`, { year }),
  },
  OldVersions: {
    clicks: [counting, partner, ...only("Library version older than", "4.5.0.10")],
    answer: sql`${twin("OldVersions", "a", sql`a, count(*)`, { version: "4.5.0.10" })} group by 1`,
  },
  NeverAssessed: {
    clicks: [counting, ...only("Assessed", "Never assessed")],
    answer: sql`${twin("NeverAssessed", "a, b", sql`b, count(*)`)} group by 1`,
  },
  PowerButNotFunctional: {
    clicks: [counting, ...only("SmartCare", "Does not work"), ...only("Primary power", "Works")],
    answer: sql`${twin("PowerButNotFunctional", "a, b", sql`b, count(*)`)} group by 1`,
  },
  GapsBetweenTdbs: {
    clicks: [tdbs, ["Figure", "Days between two TDBs, in the median"], province],
    answer: sql`select province.name, ${median(sql`gap`)}, count(gap) from (
        select *, ${receiptDay} - lag(${receiptDay}) over (partition by facility_uuid order by uploaded_at, tdb_uuid) as gap from tdb) as received
      join facility using (facility_uuid) join province using (province_id) where ${receiptDay} between ${month12}::date and ${monthEnd}::date group by 1`,
  },
  CompletenessByQuarter: {
    clicks: [
      ["Figure", "Share of sites that were assessed"],
      province,
      ["And by", "Quarter"],
      ["Period", "Last fiscal year"],
    ],
    answer: twin("CompletenessByQuarter", "a, b, c, d, e", sql`a, ${year}::int, b, c, d, e`, { year }),
  },
  VisitsPerPerson: {
    clicks: [visits, ["By", "Person"]],
    answer: twin("VisitsPerPerson", "a, b", sql`a, b`, lastMonths),
  },
  ChangeOfFunctionality: {
    clicks: [
      ["Figure", "Sites that work"],
      ["Period", "Last quarter"],
      ["Shown as", "Change since the period before"],
    ],
    answer: sql`select name, coalesce(now, 0) - coalesce(was, 0), coalesce(now, 0), coalesce(was, 0) from district
      left join (select district_id, count(*) filter (where smart_care_functional) as now
        from ${within(quarter1, quarterEnd)} as visit join facility using (facility_uuid) group by 1) as one using (district_id)
      left join (select district_id, count(*) filter (where smart_care_functional) as was
        from ${sql`(select distinct on (facility_uuid) * from assessment where ${visitDay} >= ${quarter1}::date - interval '3 months' and ${visitDay} < ${quarter1}::date
          order by facility_uuid, assessed_at desc, assessment_uuid desc)`} as visit join facility using (facility_uuid) group by 1) as other using (district_id)`,
  },
  NotVisitedSince: {
    clicks: [counting, ...only("Not visited", "In the last 180 days")],
    answer: counted(
      "district.name",
      "district_id",
      sql`not exists (select from assessment where assessment.facility_uuid = facility.facility_uuid and ${visitDay} >= ${day180}::date)`,
    ),
  },
  NoBackupAndNoCoverage: {
    clicks: [counting, ...only("Backup power", "Not there"), ...only("Mobile coverage", "Not there")],
    answer: sql`${twin("NoBackupAndNoCoverage", "a, b", sql`b, count(*)`)} group by 1`,
  },
  ModeByOwner: {
    clicks: [counting, ["By", "Owner"], ["And by", "Deployment mode"]],
    answer: twin("ModeByOwner", "a, b, c", sql`a, b, c`),
  },
  FunctionalByServiceArea: {
    clicks: [
      ["By", "Service area"],
      ["Figure", "Share of service areas where SmartCare works"],
    ],
    answer: twin("FunctionalByServiceArea", "a, b, c, d, e, f", sql`a, c, d, f`),
  },
  NotesAboutTheNetwork: {
    clicks: [visits, province, ...only("Notes with the text", "network")],
    answer: noting("network"),
  },
  StaffPerEFirstSite: {
    clicks: [["Figure", "Staff trained at a site, on average"], province, ["Only where", "Present mode"], ["E-First"]],
    answer: twin("StaffPerEFirstSite", "a, b, c", sql`a, c, b`),
  },
  TdbVolume: {
    clicks: [tdbs, ["Figure", "Bytes received"], province, ["And by", "Month"]],
    answer: twin("TdbVolume", "a, b, c, d", sql`a, ${calendar}, d::float8`, lastMonths),
  },
  FallingClients: {
    clicks: [counting, ...only("Clients", "fewer than 12 months ago")],
    answer: sql`select district.name, count(*) from ${sites} join ${sent(month12)} as a using (facility_uuid) join ${sent(today)} as b using (facility_uuid)
      where facility.closed_on is null and b.total_patients < a.total_patients group by district_id, 1`,
  },
  UpgradedLongAgo: {
    clicks: [counting, province, ...only("Last upgrade", "before the last 24 months")],
    answer: sql`select province.name, count(*) from ${sites} join ${state()} as visit using (facility_uuid)
      where facility.closed_on is null and date_of_last_upgrade > '1900-01-01' and date_of_last_upgrade < ${month24}::date group by 1`,
  },
  WorstDistricts: {
    clicks: [
      visits,
      ["Figure", "Share of visited sites that work"],
      ["Period", "Last four quarters"],
      ["Shown as", "Change since the period before"],
      ["Show", "The first 10"],
      ["Leave out", "Groups of fewer than 3"],
    ],
    answer: sql`with part as (
        select district_id, is_now, count(*) filter (where smart_care_functional) as works, count(smart_care_functional) as known,
          count(*) filter (where smart_care_functional)::float8 / nullif(count(smart_care_functional), 0) as share
        from (select *, true as is_now from ${within(quarter4, quarterEnd)} as visit union all
          select *, false from (select distinct on (facility_uuid) * from assessment where ${visitDay} >= ${monthBefore(quarter4)} and ${visitDay} < ${quarter4}::date
            order by facility_uuid, assessed_at desc, assessment_uuid desc) as visit) as latest join facility using (facility_uuid) group by 1, 2)
      select name, now.share - was.share, now.works, now.known, now.share, was.share
      from part as now join district using (district_id) left join part as was on was.district_id = now.district_id and not was.is_now
      where now.is_now and now.known >= 3 order by now.share, name limit 10`,
  },
  VisitsPerSite: {
    clicks: [visits, partner, ["Divided by", "Sites that there are"]],
    answer: twin("VisitsPerSite", "a, b, c, d", sql`a, b, c, d`, lastMonths),
  },
  GrowthOfClients: {
    clicks: [
      tdbs,
      ["Figure", "Clients"],
      province,
      ["Period", "Last quarter"],
      ["Shown as", "Change in percent since the period before"],
    ],
    answer: twin("GrowthOfClients", "a, b, c, d", sql`a, b, c, d`, { start: quarter1, end: quarterEnd }),
  },
  VisitsAddedUp: {
    clicks: [visits, ["By", "Month"], ["Shown as", "Running total"]],
    answer: twin("VisitsAddedUp", "b, c, d", sql`${calendar}, c, d`, lastMonths),
  },
  ClientsPerStaff: {
    clicks: [["Figure", "Clients by the latest TDB"], province, ["Divided by", "Staff trained"]],
    answer: twin("ClientsPerStaff", "a, b, c, d", sql`a, b, c, d`),
  },
  SitesNear: {
    clicks: [counting, ["By", "Deployment mode"], ["Only where", "Within"], ["Near a place", "-15.4167, 28.2833"]],
    answer: sql`${twin("SitesNear", "a, b", sql`b, count(*)`)} group by 1`,
  },
  FailedTwice: {
    clicks: [counting, ...only("Last visits", "2 × SmartCare did not work")],
    answer: twin("FailedTwice", "a, b", sql`a, b`),
  },
  InvertersNoted: {
    clicks: [visits, province, ...only("Notes with the text", "inverter")],
    answer: noting("inverter"),
  },
  PeopleServed: {
    clicks: [["Figure", "People in catchment areas"], province, ...only("SmartCare", "Works")],
    answer: twin("PeopleServed", "a, b, c", sql`b, c`),
  },
  VisitorsPerSite: {
    clicks: [visits, ["Figure", "People who visited a site, on average"], partner],
    answer: twin("VisitorsPerSite", "a, b, c", sql`a, b, c`, lastMonths),
  },
  ComputersByPartner: {
    clicks: [["Figure", "Computers by the latest TDB"], partner],
    answer: twin("ComputersByPartner", "a, b", sql`a, b`),
  },
  DaysToReceipt: {
    clicks: [visits, ["Figure", "Days from a visit to its receipt, in the median"], province],
    answer: twin("DaysToReceipt", "a, b, c", sql`a, b, c`, lastMonths),
  },
  SentButNeverAssessed: {
    clicks: [counting, ...only("Assessed", "Never assessed"), ...only("Any TDB", "Received")],
    answer: sql`${twin("SentButNeverAssessed", "a, b", sql`b, count(*)`)} group by 1`,
  },
};

/** Builds a question. */
async function build(page: Page, clicks: Built["clicks"]): Promise<void> {
  const controls = page.getByRole("region", { name: "The question" });
  for (const [label, value] of clicks) {
    const field = controls.getByLabel(label, { exact: true });
    if (value === undefined) await field.click({ force: true });
    else if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") {
      await field.selectOption({ label: value });
      // The next choice goes on from this one.
      if (label !== "Only where")
        await expect
          .poll(() => field.evaluate((node) => (node as HTMLSelectElement).selectedOptions[0]!.text))
          .toBe(value);
    } else {
      await field.fill(value);
      await page.keyboard.press("Enter");
    }
  }
}

type Value = string | number | boolean | null;
type Row = { [name: string]: Value | Row };
const part = (row: Row, name: string) => (row[name] ?? {}) as Record<string, number | null>;
/** The fields of the keys of a group; a district is known by its name here. */
const keyNames = new Set([
  ...["province", "district", "implementingPartner", "functionalityStatusMode", "facilityOwner", "serviceArea"],
  ...["userName", "year", "quarter", "calMonth"],
]);
const keysIn = (row: Row) => Object.keys(row).filter((name) => keyNames.has(name));
const leaves = (row: Row): Value[] =>
  Object.entries(row).flatMap(([name, value]) =>
    typeof value !== "object" || value === null
      ? [value]
      : leaves(name === "district" ? { name: value["name"]! } : value),
  );
/** Rows in one order, without the groups in which nothing was counted. */
const inOrder = (rows: readonly Value[][], keys: number) =>
  rows
    .filter((row) => row.slice(keys).some((value) => Number(value) !== 0))
    .map((row) =>
      JSON.stringify(row.map((value) => (typeof value === "number" ? Number(value.toPrecision(9)) : value))),
    )
    .toSorted();

/** What a query answers, and plain SQL. */
async function bothOf(query: string, { answer }: Built) {
  const { data, errors } = await admin.graphql<Record<string, Row[]>>(query);
  expect(errors, query).toBeUndefined();
  const rows = Object.values(data)[0]!;
  const { rows: wanted } = await sql<Record<string, Value>>`select * from (${answer}) as answer (${sql.raw(
    leaves(rows[0]!)
      .map((_, index) => `column${index}`)
      .join(", "),
  )})`.execute(gateway.db);
  const keys = keysIn(rows[0]!).length;
  return {
    rows,
    answered: inOrder(rows.map(leaves), keys),
    wanted: inOrder(
      wanted.map((row) => Object.values(row)),
      keys,
    ),
  };
}

/** The numbers of a group as the page has them: the figure, what it was, its denominator. */
function numbersIn(row: Row): (number | null)[] {
  if (row["measure"]) {
    const { value, now, before, count, of } = part(row, "measure");
    return [
      ...[value!, ...(now === undefined ? [] : [now, before!])],
      ...(of === undefined || (value === null && now === undefined) ? [] : [count!, of]),
    ];
  }
  const name = Object.keys(row).find((one) => !keyNames.has(one));
  if (typeof row[name!] !== "object") return [row[name!] as number];
  const { mean, median: middle, share, yes, no, count, of } = part(row, name!);
  if (share === undefined) return [(mean === undefined ? middle : mean)!];
  return [share, ...(share === null ? [] : [count ?? yes!, of ?? yes! + no!])];
}
/** The numbers of a cell, and how a figure is rounded there; "41 of 59" are two numbers. */
function numbersOf(cell: string, header: string): { shown: number | null; round: (value: number) => number }[] {
  const number = (text: string) => Number(text.replaceAll(/[,+]/g, ""));
  const [, count, of] = /^([\d,]+) (?:of|÷) ([\d,]+)/.exec(cell) ?? [];
  if (of !== undefined) return [count!, of].map((text) => ({ shown: number(text), round: (value) => value }));
  if (cell === "") return [];
  const [, figure, unit] = /^([-+\d.,]+|–)( %| points)?$/.exec(cell)!;
  const times = unit && !header.startsWith("Change in percent") ? 100 : 1;
  const parts = unit ? 10 : 100;
  return [
    { shown: figure === "–" ? null : number(figure!), round: (value) => Math.round(parts * (times * value)) / parts },
  ];
}

const built = new Map<string, string>();

test("each is built by clicks: the page shows what its query answers, and plain SQL", async () => {
  await makeHistory(1);
  const { page, open, settled, expectClean } = await screenAs(browser, gateway, "admin");
  for (const [name, question] of Object.entries(questions)) {
    await open("/search");
    await open("/questions");
    await build(page, question.clicks);
    await settled();
    const query = (await page.locator(".questions-query").textContent())!;
    built.set(name, query);
    const { rows, answered, wanted } = await bothOf(query, question);
    expect.soft(answered, `${name}: ${query}`).toEqual(wanted);
    expect.soft(wanted.length, name).toBeGreaterThan(0);
    const [headers, ...shown] = await page
      .getByRole("table")
      .locator("tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!.trim())));
    const keys = keysIn(rows[0]!);
    const first = Number(headers![0] === "Rank");
    const figures = first + keys.filter((key) => !["quarter", "calMonth"].includes(key)).length;
    const cells = shown.map((row) =>
      row.slice(figures).flatMap((cell, index) => numbersOf(cell, headers![figures + index]!)),
    );
    expect
      .soft(
        cells.map((row) => row.map(({ shown: value }) => value)),
        name,
      )
      .toEqual(
        rows.map((row, place) =>
          numbersIn(row).map((value, index) => (value === null ? null : cells[place]?.[index]?.round(value))),
        ),
      );
    const names = rows.map((row) => leaves(row)[0]);
    const misnamed = shown.filter(
      (row, index) =>
        typeof names[index] === "string" &&
        keys[0] !== "functionalityStatusMode" &&
        !row[first]!.startsWith(names[index]),
    );
    expect.soft(misnamed, name).toEqual([]);
  }
  expectClean();
});

test.each([2, 3])("the same queries answer what plain SQL counts over the visits and TDBs of seed %i", async (seed) => {
  await makeHistory(seed);
  for (const [name, query] of built) {
    const { answered, wanted } = await bothOf(query, questions[name]!);
    expect.soft(answered, `${name}: ${query}`).toEqual(wanted);
  }
});

test("a hundred random questions are answered", async () => {
  const { oneOf } = diceFrom(44);
  for (let turn = 0; turn < 100; turn += 1) {
    const subject = oneOf(Object.keys(subjects) as (keyof typeof subjects)[]);
    const { keys, measures, ranges } = subjects[subject];
    const question = questionIn(
      new URLSearchParams({
        ...{ subject, by: oneOf(keys), and: oneOf(["", ...keys]), measure: oneOf(Object.keys(measures)) },
        ...{ per: oneOf(["", ...Object.keys(measures)]), way: oneOf(["", ...Object.keys(ways)]) },
        ...{ range: oneOf(Object.keys(ranges)), order: oneOf(Object.keys(orders)) },
      }),
    );
    const query = queryOf(question, true);
    expect.soft((await admin.graphql(query)).errors, query).toBeUndefined();
  }
});
