import { randomUUID } from "node:crypto";

import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

import { bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Unknown is not no. A visit answers all questions with yes, no, or not at all, by REST or by GraphQL, after an earlier
 * visit that answered yes. Each of these facilities has a partner of its own, so that every list and figure of the
 * partner is about this facility alone.
 */

type Said = true | false | null;
type Case = { face: "REST" | "GraphQL"; said: Said };
const cases: Case[] = [
  { face: "REST", said: true },
  { face: "GraphQL", said: true },
  { face: "REST", said: false },
  { face: "GraphQL", said: false },
  { face: "REST", said: null },
  { face: "GraphQL", said: null },
];

const questions = [
  "smartCareFunctional",
  "primaryPower",
  "primaryPowerWorking",
  "backupPower",
  "backupPowerWorking",
  "libraryVersionConsistent",
] as const;
const counted = questions.filter((name) => name !== "libraryVersionConsistent");
const answersOf = (said: Said) => Object.fromEntries(questions.map((name) => [name, said]));
const enumOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const word = (name: string) => name[0]!.toUpperCase() + name.slice(1);

let sites: { facilityUuid: string; serviceAreaId: number }[];
let days: { before: string; today: string; year: number };
const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const rows = await gateway.sql<(typeof sites)[number]>`
    select facility_uuid, min(service_area_id) as service_area_id from facility join facility_service_area using (facility_uuid)
    where closed_on is null group by facility_uuid order by facility_uuid limit 20`;
  sites = rows;
  for (const [at, { facilityUuid }] of sites.entries()) {
    await gateway.sql`insert into implementing_partner (implementing_partner_id, name) values (${partnerOf(at)}, ${`Partner of site ${at}`})`;
    await gateway.sql`update facility set implementing_partner_id = ${partnerOf(at)} where facility_uuid = ${facilityUuid}`;
  }
  days = (
    await gateway.sql<typeof days>`
    select (now() at time zone 'Africa/Lusaka')::date::text as today, ((now() at time zone 'Africa/Lusaka')::date - 3)::text as before,
      extract(year from now() at time zone 'Africa/Lusaka' + interval '3 months')::integer as year`
  )[0]!;
});

const partnerOf = (at: number) => 9000 + at;

/** Stores a visit, and returns its UUID. */
async function save(face: Case["face"], at: number, answers: object, daysAgo = 0): Promise<string> {
  const { facilityUuid, serviceAreaId } = sites[at]!;
  const input = {
    ...{
      assessmentUuid: randomUUID(),
      facilityUuid,
      functionalityStatusMode: "EFirst",
      dateOfLastUpgrade: "2024-05-31",
      numberOfStaffTrainedInSmartCare: 7,
    },
    ...(daysAgo === 0 ? {} : { assessedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString() }),
    ...answers,
    serviceAreaAssessments: [
      { serviceAreaId, smartCareFunctional: "smartCareFunctional" in answers ? answers.smartCareFunctional : null },
    ],
  };
  if (face === "REST") expect((await admin.call("POST", "/api/v1/assessment", input)).status).toBe(200);
  else {
    const { data } = await admin.graphql(
      `mutation ($input: CreateAssessmentInput!) { createAssessment(input: $input) { errors { path message } } }`,
      { input },
    );
    expect(data.createAssessment).toEqual({ errors: [] });
  }
  return input.assessmentUuid;
}

const get = async <Body>(path: string) => {
  const answer = await admin.get(`/api/v1/${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return bodyOf<Body>(answer);
};
const ask = async (query: string) => {
  const { data, errors } = await admin.graphql(`{ ${query} }`);
  expect(errors, query).toBeUndefined();
  return data;
};
type Names = { facilityUuid: string }[];

describe.each(cases)("a visit by $face that answers $said", ({ face, said }) => {
  const at = cases.findIndex((one) => one.face === face && one.said === said);
  const ofPartner = `implementingPartnerId: ${partnerOf(at)}`;
  const is = (value: Said) => Number(said === value);
  let uuid: string;
  beforeAll(async () => {
    await save(face, at, answersOf(true), 3);
    uuid = await save(face, at, answersOf(said));
  });

  test("is stored so", async () => {
    const { serviceAreaAssessments, ...rest } = await get<
      Record<string, unknown> & { serviceAreaAssessments: object[] }
    >(`assessment/${uuid}`);
    expect(rest).toMatchObject(answersOf(said));
    expect(serviceAreaAssessments).toMatchObject([{ smartCareFunctional: said }]);
    const { assessment } = await ask(
      `assessment(assessmentUuid: "${uuid}") { ${questions.join(" ")} serviceAreaAssessments { smartCareFunctional } }`,
    );
    expect(assessment).toEqual({ ...answersOf(said), serviceAreaAssessments: [{ smartCareFunctional: said }] });
    const rows =
      await gateway.sql`select ${sql.join(questions.map((name) => sql.ref(name)))} from assessment where assessment_uuid = ${uuid}`;
    expect(rows).toEqual([answersOf(said)]);
  });

  test("is counted so in the dashboards and in groups", async () => {
    const figures = Object.fromEntries(
      counted.flatMap((name) => [
        [`sum${word(name)}`, is(true)],
        [`notRecorded${word(name)}`, is(null)],
      ]),
    );
    const { year, today } = days;
    for (const view of ["monthly", "quarterly", "yearly"]) {
      const rows = await get<{ assessed: number; calMonth: number | null; quarter: number }[]>(
        `dash/functionalityComparison/ip/${partnerOf(at)}/${year}/-1?view=${view}`,
      );
      const visited = rows.findLast(({ assessed }) => assessed > 0);
      expect([view, visited]).toEqual([view, expect.objectContaining({ assessed: 1, ...figures })]);
    }
    const sums = `{ assessed ${Object.keys(figures).join(" ")} ${questions.map((name) => `${name} { yes no notStated }`).join(" ")} }`;
    const answers = Object.fromEntries(
      questions.map((name) => [name, { yes: is(true), no: is(false), notStated: is(null) }]),
    );
    const data =
      await ask(`now: facilityGroups(by: [], ${ofPartner}) ${sums} asOf: facilityGroups(by: [], ${ofPartner}, asOf: "${today}") ${sums}
      period: facilityGroups(by: [], ${ofPartner}, period: { relative: THIS_MONTH }) ${sums}
      day: assessmentGroups(by: [SMART_CARE_FUNCTIONAL], ${ofPartner}, start: "${today}", end: "${today}") { functional assessments ${Object.keys(figures).join(" ")} }
      year: assessmentGroups(by: [YEAR], ${ofPartner}) { year ${Object.keys(figures).join(" ")} }`);
    for (const name of ["now", "asOf", "period"])
      expect([name, data[name]]).toEqual([name, [{ assessed: 1, ...figures, ...answers }]]);
    expect(data.day).toEqual([{ functional: said, assessments: 1, ...figures }]);
    expect(data.year.at(-1)).toEqual({ year, ...figures });
  });

  test("is listed by the filters of its answer, and by no others", async () => {
    const { today, before } = days;
    const texts = { yes: true, no: false, notRecorded: null };
    for (const name of ["functional", "power"])
      for (const [text, value] of Object.entries(texts)) {
        const listed = await get<Names>(`facility?implementingPartnerId=${partnerOf(at)}&${name}=${text}`);
        expect([name, text, listed.length]).toEqual([name, text, is(value)]);
      }
    const facilities = (filter: string) => `facilities(${ofPartner}, filter: { ${filter} }) { totalCount }`;
    const visits = (filter: string) => `assessments(${ofPartner}, start: "${today}", ${filter}) { totalCount }`;
    const wanted: Record<string, [query: string, count: number]> = {
      ...Object.fromEntries(
        ["functional", "power"].flatMap((name) => [
          [`${name}True`, [facilities(`${name}: true`), is(true)]],
          [`${name}False`, [facilities(`${name}: false`), is(false)]],
          [`${name}Unknown`, [facilities(`notRecorded: [${name}]`), is(null)]],
        ]),
      ),
      ...Object.fromEntries(
        questions.flatMap((name) =>
          ["", `asOf: "${today}",`, "period: { relative: THIS_MONTH },"].flatMap((when, index) => [
            [`${name}True${index}`, [facilities(`latestAssessment: { ${when} ${name}: true }`), is(true)]],
            [`${name}False${index}`, [facilities(`latestAssessment: { ${when} ${name}: false }`), is(false)]],
            [
              `${name}Unknown${index}`,
              [facilities(`latestAssessment: { ${when} notRecorded: [${enumOf(name)}] }`), is(null)],
            ],
          ]),
        ),
      ),
      ...Object.fromEntries(
        questions.map((name) => [
          `${name}Lost`,
          [facilities(`change: { from: "${before}", to: "${today}", lost: [${enumOf(name)}] }`), is(false)],
        ]),
      ),
      ...Object.fromEntries(
        questions.map((name) => [`${name}NotRecorded`, [visits(`notRecorded: [${enumOf(name)}]`), is(null)]]),
      ),
      visitsTrue: [visits("smartCareFunctional: true"), is(true)],
      visitsFalse: [visits("smartCareFunctional: false"), is(false)],
    };
    const entries = Object.entries(wanted);
    const found: Record<string, number> = {};
    for (let from = 0; from < entries.length; from += 10) {
      const data = await ask(
        entries
          .slice(from, from + 10)
          .map(([name, [query]]) => `${name}: ${query}`)
          .join("\n"),
      );
      for (const [name, { totalCount }] of Object.entries<{ totalCount: number }>(data)) found[name] = totalCount;
    }
    expect(found).toEqual(Object.fromEntries(entries.map(([name, [, count]]) => [name, count])));
    const { facilityUuid } = sites[at]!;
    for (const [query, value] of [
      ["smartCareFunctional=true", true],
      ["smartCareFunctional=false", false],
      ["notRecorded=smartCareFunctional", null],
      ["notRecorded=primaryPower,backupPowerWorking", null],
    ] as const) {
      const listed = await get<{ uuid: string }[]>(`assessment/list/facility/${facilityUuid}?${query}`);
      expect([query, listed.some((one) => one.uuid === uuid)]).toEqual([query, said === value]);
    }
  });

  test("makes the site stopped, or without power, only by a no", async () => {
    for (const kind of ["stopped", "lostPower"]) {
      const rest = await get<Names>(`worklist/${kind}?implementingPartnerId=${partnerOf(at)}`);
      const { worklist } = await ask(
        `worklist(kind: ${enumOf(kind)}, ${ofPartner}) { totalCount nodes { sinceDate } }`,
      );
      expect([kind, rest.length, worklist]).toEqual([
        kind,
        is(false),
        { totalCount: is(false), nodes: said === false ? [{ sinceDate: days.today }] : [] },
      ]);
      const file = await admin.get(`/api/v1/worklist/${kind}/csv?implementingPartnerId=${partnerOf(at)}`);
      expect([kind, parse(file.text, { bom: true, columns: true }).length]).toEqual([kind, is(false)]);
    }
  });

  test("is told so by the situation, in its places and for the facility itself", async () => {
    const figure = { value: is(true), of: 1, notRecorded: is(null) };
    const unit = {
      assessed: 1,
      functional: is(true),
      power: is(true),
      notRecordedFunctional: is(null),
      notRecordedPower: is(null),
    };
    type Situation = {
      functional: object;
      power: object;
      worklist: { kind: string; entries: number }[];
      units: { facilityUuid: string | null; facilities: number; assessed: number; quarters: object[] }[];
    };
    const rows = await gateway.sql<{ districtId: number }>`
      select district_id from facility where facility_uuid = ${sites[at]!.facilityUuid}`;
    for (const place of ["", `&districtId=${rows[0]!.districtId}`]) {
      const rest = await get<Situation>(`situation?implementingPartnerId=${partnerOf(at)}${place}`);
      expect(rest).toMatchObject({ functional: figure, power: figure });
      expect(
        rest.worklist.filter(({ kind }) => ["stopped", "lostPower"].includes(kind)).map(({ entries }) => entries),
      ).toEqual([is(false), is(false)]);
      const units = rest.units.filter(({ facilities }) => facilities > 0);
      expect(units).toMatchObject([unit]);
      if (place === "")
        expect(units[0]!.quarters.at(-1)).toMatchObject({
          assessed: 1,
          functional: is(true),
          notRecordedFunctional: is(null),
        });
    }
    const { situation } = await ask(
      `situation(${ofPartner}) { functional { value of notRecorded } power { value of notRecorded } units { ${Object.keys(unit).join(" ")} } }`,
    );
    const counted = (situation as Situation).units.filter(({ assessed }) => assessed > 0);
    expect({ ...situation, units: counted }).toEqual({ functional: figure, power: figure, units: [unit] });
  });

  test("is exported so in CSV", async () => {
    const cell = said === null ? "" : String(said);
    const { today } = days;
    const cells = Object.fromEntries(questions.map((name) => [name, cell]));
    for (const path of [`csv/assessment/${uuid}`, `csv/${today}/${today}?implementingPartnerId=${partnerOf(at)}`]) {
      const lines = parse((await admin.get(`/api/v1/assessment/${path}`)).text, { bom: true, columns: true }) as Record<
        string,
        string
      >[];
      expect([path, lines]).toEqual([path, [expect.objectContaining(cells)]]);
      const areas = Object.entries(lines[0]!).filter(([name]) => name.endsWith(": smartCareFunctional"));
      expect(areas.map(([, value]) => value).filter((value) => value !== "")).toEqual(said === null ? [] : [cell]);
    }
  });
});

test("whether all computers have the same version is a record of the visit: its filters need the right to read assessments", async () => {
  const plain = await gateway.as("plain");
  const { before, today } = days;
  for (const filter of [
    "latestAssessment: { notRecorded: [LIBRARY_VERSION_CONSISTENT] }",
    `change: { from: "${before}", to: "${today}", lost: [LIBRARY_VERSION_CONSISTENT] }`,
  ]) {
    const { errors } = await plain.graphql(`{ facilities(filter: { ${filter} }) { totalCount } }`);
    expect([filter, errors?.[0].extensions.code]).toEqual([filter, "FORBIDDEN"]);
  }
});

const functional = (said: Said | undefined) => (said === undefined ? {} : { smartCareFunctional: said });
test.each<[answers: (Said | undefined)[], stoppedDaysAgo: number | undefined]>([
  [[true, null], undefined],
  [[true, undefined], undefined],
  [[true, null, false], 1],
  [[true, false, null], 2],
  [[true, false, null, false], 3],
  [[true, false, null, true], undefined],
  [[null, false], undefined],
  [[true, false, true, null], undefined],
])("visits that answer %j: stopped since %j days ago", async (answers, stoppedDaysAgo) => {
  const at = used;
  used += 1;
  // Only these visits count: those of the demonstration may be later ones or answer differently.
  const { facilityUuid } = sites[at]!;
  await gateway.sql`delete from assessment where facility_uuid = ${facilityUuid}`;
  for (const [index, said] of answers.entries()) await save("REST", at, functional(said), answers.length - index);
  const entries = await get<(Names[number] & { days: number })[]>(
    `worklist/stopped?implementingPartnerId=${partnerOf(at)}`,
  );
  expect(entries.map((entry) => entry.days)).toEqual(stoppedDaysAgo === undefined ? [] : [stoppedDaysAgo]);
});
let used = cases.length;

test("power works if one source does, does not if neither does, and is not recorded otherwise; without power a source does not work", async () => {
  const table: [given: object, working: [Said, Said], power: "yes" | "no" | "notRecorded"][] = [
    [{ primaryPower: true, primaryPowerWorking: true }, [true, null], "yes"],
    [{ primaryPower: true, primaryPowerWorking: false }, [false, null], "notRecorded"],
    [{ primaryPower: true, primaryPowerWorking: false, backupPower: false }, [false, false], "no"],
    [{ primaryPower: false, backupPower: true }, [false, null], "notRecorded"],
    [{ primaryPowerWorking: true, backupPowerWorking: false }, [null, false], "notRecorded"],
  ];
  const at = sites.length - 1;
  for (const [given, working, power] of table) {
    const { primaryPowerWorking, backupPowerWorking } = await get<Record<string, Said>>(
      `assessment/${await save("REST", at, given)}`,
    );
    expect([given, [primaryPowerWorking, backupPowerWorking]]).toEqual([given, working]);
    for (const text of ["yes", "no", "notRecorded"])
      expect([
        given,
        text,
        (await get<Names>(`facility?implementingPartnerId=${partnerOf(at)}&power=${text}`)).length,
      ]).toEqual([given, text, Number(text === power)]);
  }
});
