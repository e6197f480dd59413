import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { rebuildRollups } from "../../db/derived/recount.ts";
import { bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { cursorNow } from "../support/settled.ts";
import { at } from "./dash-data.ts";

/**
 * An attacker without rights asks every aggregate with every pair of keys and many filters, before and after a TDB of
 * one facility arrives, and before and after the facility gets another partner. There are two countries, which differ
 * only in what that TDB holds. The attacker gets the same answers in both, so no difference of two answers tells which
 * of the two figures is the true one. The same through measures, saved queries and the feed of changes.
 */

/** The facility's closed figures: those of the first country, and those of the second. */
const figures = [
  { totalPatients: 3_412, fileSize: 312_345_678 },
  { totalPatients: 2_790, fileSize: 298_765_432 },
] as const;
const computers = 7;

let countries: [TestGateway, TestGateway];
let attackers: [Attacker, Attacker];
/** A person with a saved query, and with the place in the feed from which it is read. */
type Attacker = Person & { savedQuery: string; cursor: string };
type Site = { facilityUuid: string; provinceId: number; districtId: number; partner: number; newPartner: number };
let site: Site;
/** The last calendar month, whose figures people without rights get. */
let month: { start: string; end: string };

beforeAll(async () => {
  countries = await Promise.all([testGateway(), testGateway()]);
  const { rows } = await sql<Site & { start: string; end: string }>`
    with month as (select (date_trunc('month', now() at time zone 'Africa/Lusaka') - interval '1 month')::date as start),
    sent as (select facility_uuid from tdb_rollup, month where period = 'month' and period_start = start)
    select facility.facility_uuid, facility.province_id, facility.district_id, facility.implementing_partner_id as partner,
      (select min(implementing_partner_id) from implementing_partner other where other.implementing_partner_id <> facility.implementing_partner_id) as new_partner,
      month.start::text, (month.start + interval '1 month - 1 day')::date::text as end
    from facility, month where implementing_partner_id is not null and facility_uuid not in (select facility_uuid from sent)
    order by (select count(*) from facility other join sent using (facility_uuid) where other.district_id = facility.district_id) desc, facility_uuid
    limit 1`.execute(countries[0].db);
  const { start, end, ...found } = rows[0]!;
  [site, month] = [found, { start, end }];
  attackers = (await Promise.all(
    countries.map(async (country) => {
      const person = await country.as("plain");
      const { data } = await person.graphql(
        "mutation ($input: CreateSavedQueryInput!) { createSavedQuery(input: $input) { savedQuery { uuid } } }",
        {
          input: {
            name: "The attack",
            query: `{ ${measured().find((question) => question.includes("TOTAL_PATIENTS, per"))} }`,
          },
        },
      );
      return {
        ...person,
        savedQuery: data.createSavedQuery.savedQuery.uuid as string,
        cursor: await cursorNow(country.db, person),
      };
    }),
  )) as [Attacker, Attacker];
});
afterAll(() => Promise.all(countries.map((country) => country.stop())));

const keys = ["PROVINCE", "DISTRICT", "IMPLEMENTING_PARTNER", "MODE", "LIBRARY_VERSION", "FACILITY_TYPE", "MONTH"];
const pairs = [
  [],
  ...keys.map((key) => [key]),
  ...keys.flatMap((one, n) => keys.slice(n + 1).map((two) => [one, two])),
];
const shownKeys = new Set(["PROVINCE", "DISTRICT", "IMPLEMENTING_PARTNER", "MONTH"]);
const unit =
  "province { name } district { name } implementingPartner { implementingPartnerId } functionalityStatusMode libraryVersion facilityType periodStart";
const tdbCounts = "tdbCount facilities deltaTdbs totalPatients fileSize suppressed share { count of }";

/** Figures of the attacker's own: quotients, changes and running totals of what groups hold. */
function measured(): string[] {
  const days = `start: "${month.start}", end: "${month.end}"`;
  const year = `start: "${Number(month.start.slice(0, 4)) - 1}${month.start.slice(4)}", end: "${month.end}"`;
  const groups = (by: string, args: string, measure: string) =>
    `tdbGroups(by: [${by}], ${args}, sort: MEASURE_DESC, measure: { ${measure} }) { ${unit} suppressed measure { value count of now before } }`;
  const counts = ["TDB_COUNT", "DELTA_TDBS", "TOTAL_PATIENTS", "FILE_SIZE"];
  return counts.flatMap((count) => [
    ...["", "DISTRICT", "DISTRICT, IMPLEMENTING_PARTNER"].flatMap((by) => [
      ...["FACILITIES", "OF", "TDB_COUNT"].map((per) => groups(by, days, `count: ${count}, per: ${per}`)),
      ...["DIFFERENCE", "PERCENT"].map((change) =>
        groups(by, `${days}, against: { previous: true }`, `count: ${count}, change: ${change}`),
      ),
    ]),
    ...["running: true", "change: DIFFERENCE", "change: PERCENT", "per: FACILITIES, change: PERCENT"].map((how) =>
      groups("DISTRICT, MONTH", `${year}, districtId: ${site.districtId}`, `count: ${count}, ${how}`),
    ),
  ]);
}

/** What is refused, whatever it holds. */
const refused = (): string[] => [
  ...["CLIENTS", "CLIENTS, per: FACILITIES", "CLIENTS, change: DIFFERENCE"].map(
    (measure) => `facilityGroups(by: [DISTRICT], measure: { count: ${measure} }) { measure { value count of now } }`,
  ),
  "facilityGroups(by: [DISTRICT], sort: CLIENTS_MEAN_DESC) { district { name } }",
  "facilityGroups(by: [DISTRICT]) { clients { sum max } }",
  `tdbGroups(by: [DISTRICT], start: "${month.start}", end: "${month.end}", sort: CLIENTS_MEDIAN_DESC) { district { name } }`,
  `tdbGroups(by: [DISTRICT], start: "${month.start}", end: "${month.end}") { clients { sum } daysBetweenTdbs { max } }`,
  `tdbGroups(by: [], facilityUuid: "${site.facilityUuid}", start: "${month.start}", end: "${month.end}") { totalPatients }`,
];

/** Everything that the attacker may ask about TDBs, as GraphQL fields. */
function questions(): string[] {
  const filters = [
    "",
    `provinceId: ${site.provinceId}`,
    `districtId: ${site.districtId}`,
    `implementingPartnerId: ${site.partner}, districtId: ${site.districtId}`,
    `implementingPartnerId: ${site.newPartner}`,
  ];
  const days = `start: "${month.start}", end: "${month.end}"`;
  return [
    ...measured(),
    ...pairs.flatMap((by) =>
      // With other keys everything is withheld.
      (by.every((key) => shownKeys.has(key)) ? filters : [""]).flatMap((filter) =>
        [days, `${days}, delta: false`].map(
          (asked) => `tdbGroups(by: [${by.join()}], minimumSize: 1, ${asked}, ${filter}) { ${unit} ${tdbCounts} }`,
        ),
      ),
    ),
    ...filters.map(
      (filter) =>
        `tdbGroups(by: [DISTRICT], against: { ${days} }, ${days}, sort: TOTAL_PATIENTS_DESC, ${filter}) { ${unit} ${tdbCounts} before { totalPatients } change { tdbCount totalPatients fileSize } }`,
    ),
    ...pairs.map(
      (by) => `facilityGroups(by: [${by.join()}], minimumSize: 1) { ${unit} facilities assessed sumTrainedStaff }`,
    ),
    ...["PROVINCE", "DISTRICT"].flatMap((level) =>
      filters.map(
        (filter) =>
          `tdbHistory(level: ${level}, ${days}, ${filter}) { name components of tdbCount totalPatients suppressed }`,
      ),
    ),
    ...["cpuCore", "osX64"].flatMap((chart) =>
      filters.map(
        (filter) =>
          `${chart}(year: ${Number(month.start.slice(0, 4)) + Number(month.start.slice(5, 7) > "09")}, quarter: -1, ${filter}) { param value of suppressed }`,
      ),
    ),
    "situation { facilities { value } assessed { value of } functional { value of } }",
  ];
}

type Numbers = Map<string, number>;
/** All numbers of an answer by their place: the keys of the groups, then the name of the figure. */
function numbersOf(answer: unknown, place: string, into: Numbers): void {
  if (typeof answer === "number") into.set(place, answer);
  if (answer === null || typeof answer !== "object") return;
  const entries = Object.entries(answer);
  const texts = entries.filter(([name, value]) => typeof value === "string" || /^(province|district)$/.test(name));
  const own = Array.isArray(answer) ? place : `${place} ${JSON.stringify(texts)}`;
  for (const [name, value] of entries) numbersOf(value, Array.isArray(answer) ? own : `${own} ${name}`, into);
}

/** Asks everything in one country. Returns the texts of the answers and all numbers in them. */
async function attack(attacker: Attacker): Promise<{ texts: string[]; numbers: Numbers }> {
  const texts: string[] = [];
  const numbers: Numbers = new Map();
  const all = questions();
  for (let from = 0; from < all.length; from += 5) {
    const some = all.slice(from, from + 5);
    const { data, errors } = await attacker.graphql(`{ ${some.map((each, n) => `q${n}: ${each}`).join(" ")} }`);
    expect(errors, some.join(" ")).toBeUndefined();
    for (const [n, question] of some.entries()) {
      texts.push(`${question} ${JSON.stringify(data[`q${n}`])}`);
      numbersOf(data[`q${n}`], question, numbers);
    }
  }
  for (const question of refused()) {
    const { data, errors } = await attacker.graphql(`{ ${question} }`);
    expect(errors, question).not.toBeUndefined();
    texts.push(`${question} ${JSON.stringify(data)}`);
  }
  for (const ending of ["", ".csv", ".ndjson"]) {
    const { text, body } = await attacker.get(`/api/v1/query/${attacker.savedQuery}${ending}`);
    const { data } = ending === "" ? bodyOf<{ data: object }>({ body }) : { data: text };
    texts.push(`saved${ending} ${JSON.stringify(data)}`);
  }
  const { changes } = bodyOf<{ changes: object[] }>(
    await attacker.get(`/api/v1/changes?limit=1000&since=${attacker.cursor}`),
  );
  texts.push(`feed ${JSON.stringify(changes).replaceAll(/"changedAt":"[^"]*"/g, "")}`);
  numbersOf(changes, "feed", numbers);
  for (const path of [
    ...["province", "district"].map((level) => `/dash/tdbHistory/${level}/${month.start}/${month.end}`),
    "/situation",
    "/facility",
    "/tdb/silent",
    "/facility/csv",
  ]) {
    const { status, text, body } = await attacker.get(`/api/v1${path}`);
    // Without the times of the two databases.
    texts.push(`${path} ${status} ${text.replaceAll(/\d\d:\d\d:[\d.]+(Z|\+00:00)/g, "")}`);
    numbersOf(body, path, numbers);
  }
  return { texts, numbers };
}

/** A TDB of the facility arrives in both countries, each with its own figures. */
const receive = (time: string) =>
  Promise.all(
    countries.map(({ db }, n) =>
      db.transaction().execute(async (handle) => {
        const tdbUuid = `00000000-0000-7000-8000-0000000000${time.slice(0, 2)}`;
        const received = `${month.end} ${time}`;
        const { userUuid } = await handle
          .selectFrom("appUser")
          .select("userUuid")
          .orderBy("userUuid")
          .limit(1)
          .executeTakeFirstOrThrow();
        await handle
          .insertInto("tdb")
          .values({
            ...{
              tdbUuid,
              facilityUuid: site.facilityUuid,
              userUuid,
              uploadedAt: at(received),
              tdbCreatedAt: at(received),
            },
            ...{ delta: false, fileName: "a.tdbx", sha256: tdbUuid.replaceAll("-", "").repeat(2), storageKey: tdbUuid },
            ...figures[n]!,
          })
          .execute();
        await handle.insertInto("tdbComputer").values({ tdbUuid, cpuCores: 4, os64Bit: true, computers }).execute();
        await rebuildRollups(handle);
      }),
    ),
  );

const move = () =>
  Promise.all(
    countries.map(async (country) => {
      const { status } = await (
        await country.as("admin")
      ).call("PATCH", `/api/v1/facility/settings/${site.facilityUuid}`, { implementingPartnerId: site.newPartner });
      expect(status).toBe(200);
    }),
  );

/** How much each number of one answer gained in another; numbers that only one of them has are left out. */
const gained = (before: Numbers, after: Numbers) =>
  [...after].flatMap(([place, number]) =>
    before.has(place) && number !== before.get(place) ? [{ place, by: Math.abs(number - before.get(place)!) }] : [],
  );

test("no two answers differ by what one facility has", async () => {
  const seen: Numbers[] = [];
  for (const happens of [undefined, () => receive("11:00"), move, () => receive("12:00")]) {
    await happens?.();
    const [one, other] = await Promise.all(attackers.map(attack));
    // Both countries look the same.
    expect(other!.texts).toEqual(one!.texts);
    seen.push(one!.numbers);
  }
  const [empty, sent, moved, twice] = seen as [Numbers, Numbers, Numbers, Numbers];
  const all = [gained(empty, sent), gained(sent, moved), gained(moved, twice), gained(empty, moved)];
  // The attack is a real one: the figures do change, by the rounded figure of the facility.
  expect(all[0]!.filter(({ place, by }) => place.endsWith("totalPatients") && by === 3_000).length).toBeGreaterThan(5);
  const closed = new Set<number>(figures.flatMap((each) => Object.values(each)));
  for (const { place, by } of all.flat()) {
    expect(closed, place).not.toContain(by);
    if (/^(cpuCore|osX64)/.test(place)) expect(by % 5, place).toBe(0);
  }
  // That the facility sent is an open fact, and the second TDB shows, if at all, as five.
  for (const { place, by } of all[2]!.filter((each) => / (tdbCount|deltaTdbs|count)$/.test(each.place)))
    expect(by % 5, place).toBe(0);
});
