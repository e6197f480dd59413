import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";

import { metresBetween } from "../../gateway/facility/distance.rules.ts";
import { rangeOf } from "../../gateway/calendar/rangeDays.rules.ts";
import { bodyOf, errorsOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Compares each filter of the lists of facilities with a recount: by REST, by GraphQL and as a CSV file. */

type Known = {
  facilityUuid: string;
  mode: string | null;
  provinceId: number;
  districtId: number;
  partnerId: number | null;
  facilityType: string | null;
  facilityOwner: string | null;
  population: number | null;
  connected: boolean | null;
  hasPosition: boolean;
  latitude: number;
  longitude: number;
  /** the day of its latest assessment, and the results of that */
  day: string | null;
  functional: boolean | null;
  power: boolean | null;
  version: string | null;
  lastTdb: string | null;
  /** whether SmartCare worked at the last two visits: "no no" */
  lastTwo: string | null;
};

let all: Known[];
let today: string;
let newest: string;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const zone = "Africa/Lusaka";
  await gateway.sql`update facility set latitude = null, longitude = null where facility_uuid in (select facility_uuid from facility order by facility_uuid limit 7)`;
  const rows = await gateway.sql<Known>`
    select f.facility_uuid, a.functionality_status_mode as mode, f.province_id, f.district_id, f.implementing_partner_id as partner_id, f.facility_type, f.facility_owner,
      f.catchment_population as population, f.connectivity_present as connected, f.latitude is not null as has_position, f.latitude, f.longitude,
      to_char(a.assessed_at at time zone ${zone}, 'YYYY-MM-DD') as day, a.smart_care_functional as functional,
      btrim(a.library_version) as version,
      a.primary_power_working or a.backup_power_working as power,
      (select to_char(max(t.tdb_created_at) at time zone ${zone}, 'YYYY-MM-DD') from tdb t where t.facility_uuid = f.facility_uuid) as last_tdb,
      (select string_agg(case last.smart_care_functional when true then 'yes' when false then 'no' else '' end, ' ') from (
        select v.smart_care_functional from assessment v where v.facility_uuid = f.facility_uuid order by v.assessed_at desc limit 2) last) as last_two
    from facility f left join lateral (
      select * from assessment where assessment.facility_uuid = f.facility_uuid order by assessed_at desc, assessment_uuid desc limit 1) a on true where f.closed_on is null`;
  all = rows;
  const listed = await gateway.db.selectFrom("smartcareVersion").select("libraryVersion").execute();
  newest = listed
    .map(({ libraryVersion }) => libraryVersion.trim())
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1)!;
  today = (await gateway.sql<{ today: string }>`select (now() at time zone ${zone})::date::text as today`)[0]!.today;
});

const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const sending = new Set<string | null>(["EFirst", "EFast", "ELast", "Partial"]);
const isSilent = ({ lastTdb, mode }: Known) => (lastTdb === null ? sending.has(mode) : addDays(lastTdb, 30) < today);
const isVersion = (version: string | null): version is string => version !== null && /\d/.test(version);
const isOld = (version: string) => version.localeCompare(newest, "en", { numeric: true }) < 0;
const isExpected = ({ lastTdb, mode }: Known) => lastTdb !== null || sending.has(mode);

type Case = [query: string, filter: string, matches: (one: Known) => boolean];
function cases(): Case[] {
  const { provinceId, districtId, partnerId } = all.find((one) => one.partnerId !== null && one.mode !== null)!;
  const assessed = all.flatMap(({ day }) => day ?? []).toSorted();
  const day = assessed[Math.floor(assessed.length / 2)]!;
  const tdbDays = all.flatMap(({ lastTdb }) => lastTdb ?? []).toSorted();
  const tdbDay = tdbDays[Math.floor(tdbDays.length / 2)]!;
  const type = all.find((one) => one.facilityType)!.facilityType!;
  const owner = all.find((one) => one.facilityOwner)!.facilityOwner!;
  return [
    ["assessed=yes", "filter: { assessed: true }", (one) => one.day !== null],
    ["assessed=no", "filter: { assessed: false }", (one) => one.day === null],
    ["functional=yes", "filter: { functional: true }", (one) => one.day !== null && one.functional === true],
    ["functional=no", "filter: { functional: false }", (one) => one.day !== null && one.functional === false],
    [
      "functional=notRecorded",
      "filter: { notRecorded: [functional] }",
      (one) => one.day !== null && one.functional === null,
    ],
    ["power=yes", "filter: { power: true }", (one) => one.day !== null && one.power === true],
    ["power=no", "filter: { power: false }", (one) => one.day !== null && one.power === false],
    ["power=notRecorded", "filter: { notRecorded: [power] }", (one) => one.day !== null && one.power === null],
    [
      "functional=notRecorded&power=notRecorded",
      "filter: { notRecorded: [functional, power] }",
      (one) => one.day !== null && one.functional === null && one.power === null,
    ],
    ["modes=NotOperational", "filter: { modes: [NotOperational] }", (one) => one.mode === "NotOperational"],
    [
      "modes=Partial,NotDeployed",
      "filter: { modes: [Partial, NotDeployed] }",
      (one) => one.mode === "Partial" || one.mode === "NotDeployed",
    ],
    ["modes=none", "filter: { modes: [none] }", (one) => one.mode === null],
    [
      "modes=none,EFirst,EFast,ELast",
      "filter: { modes: [none, EFirst, EFast, ELast] }",
      ({ mode }) => mode === null || mode.startsWith("E"),
    ],
    [`assessedBefore=${day}`, `filter: { assessedBefore: "${day}" }`, (one) => one.day === null || one.day < day],
    [
      `assessedBefore=${day}&assessed=yes`,
      `filter: { assessedBefore: "${day}", assessed: true }`,
      (one) => one.day !== null && one.day < day,
    ],
    [
      "assessedBefore=LAST_4_QUARTERS",
      'filter: { assessedBefore: "LAST_4_QUARTERS" }',
      (one) => one.day === null || one.day < rangeOf("LAST_4_QUARTERS", today).start,
    ],
    ...(["yes", "no"] as const).map((said): Case => [
      `inARow=SMART_CARE_FUNCTIONAL.2.${said}`,
      `filter: { inARow: { visits: 2, answer: SMART_CARE_FUNCTIONAL, said: ${said === "yes"} } }`,
      ({ lastTwo }) => lastTwo === `${said} ${said}`,
    ]),
    ["silent=yes", "filter: { silent: true }", isSilent],
    ["silent=no", "filter: { silent: false }", (one) => isExpected(one) && !isSilent(one)],
    [
      `noTdbSince=${tdbDay}`,
      `filter: { noTdbSince: "${tdbDay}" }`,
      ({ lastTdb }) => lastTdb === null || lastTdb < tdbDay,
    ],
    [
      `noTdbSince=${addDays(tdbDay, 1)}`,
      `filter: { noTdbSince: "${addDays(tdbDay, 1)}" }`,
      ({ lastTdb }) => lastTdb === null || lastTdb <= tdbDay,
    ],
    [
      `noTdbSince=${tdbDay}&silent=yes&provinceId=${provinceId}`,
      `provinceId: ${provinceId}, filter: { noTdbSince: "${tdbDay}", silent: true }`,
      (one) => one.provinceId === provinceId && isSilent(one) && (one.lastTdb === null || one.lastTdb < tdbDay),
    ],
    ["sent=yes", "filter: { hasSentTdb: true }", ({ lastTdb }) => lastTdb !== null],
    [
      "sent=no&assessed=yes",
      "filter: { hasSentTdb: false, assessed: true }",
      (one) => one.lastTdb === null && one.day !== null,
    ],
    ["oldVersion=yes", "filter: { oldVersion: true }", ({ version }) => isVersion(version) && isOld(version)],
    ["oldVersion=no", "filter: { oldVersion: false }", ({ version }) => isVersion(version) && !isOld(version)],
    [
      `oldVersion=yes&provinceId=${provinceId}`,
      `provinceId: ${provinceId}, filter: { oldVersion: true }`,
      (one) => one.provinceId === provinceId && isVersion(one.version) && isOld(one.version),
    ],
    ["connected=yes", "filter: { connectivityPresent: true }", (one) => one.connected === true],
    ["connected=no", "filter: { connectivityPresent: false }", (one) => one.connected === false],
    ["connected=notRecorded", "filter: { notRecorded: [connectivityPresent] }", (one) => one.connected === null],
    ["position=no", "filter: { hasPosition: false }", (one) => !one.hasPosition],
    ["position=yes", "filter: { hasPosition: true }", (one) => one.hasPosition],
    [
      "outside=26,-14.5,29.5,-11",
      "filter: { positionOutside: [26, -14.5, 29.5, -11] }",
      (one) =>
        one.hasPosition &&
        !(one.longitude >= 26 && one.longitude <= 29.5 && one.latitude >= -14.5 && one.latitude <= -11),
    ],
    ...[5, 200].map((kilometres): Case => [
      `near=-15.4167,28.2833,${kilometres}`,
      `filter: { near: { latitude: -15.4167, longitude: 28.2833, kilometres: ${kilometres} } }`,
      (one) => one.hasPosition && metresBetween(one, { latitude: -15.4167, longitude: 28.2833 }) <= 1000 * kilometres,
    ]),
    ...[",200", "200,50"].map((distance): Case => {
      const [to, from] = distance.split(",");
      return [
        `near=-15.4167,28.2833,${distance}`,
        `filter: { near: { latitude: -15.4167, longitude: 28.2833, ${to ? `kilometres: ${to}, ` : ""}fromKilometres: ${from} } }`,
        (one) => {
          const kilometres = metresBetween(one, { latitude: -15.4167, longitude: 28.2833 }) / 1000;
          return one.hasPosition && kilometres >= Number(from) && (!to || kilometres <= Number(to));
        },
      ];
    }),
    [
      `facilityType=${encodeURIComponent(type)}`,
      `filter: { facilityType: ${JSON.stringify(type)} }`,
      (one) => one.facilityType === type,
    ],
    [
      `facilityOwner=${encodeURIComponent(owner)}`,
      `filter: { facilityOwner: ${JSON.stringify(owner)} }`,
      (one) => one.facilityOwner === owner,
    ],
    ["catchmentPopulationFrom=1", "filter: { catchmentPopulationFrom: 1 }", (one) => (one.population ?? 0) >= 1],
    [`provinceId=${provinceId}`, `provinceId: ${provinceId}`, (one) => one.provinceId === provinceId],
    [
      `districtId=${districtId}&assessed=no`,
      `districtId: ${districtId}, filter: { assessed: false }`,
      (one) => one.districtId === districtId && one.day === null,
    ],
    [
      `implementingPartnerId=${partnerId}&silent=yes`,
      `implementingPartnerId: ${partnerId}, filter: { silent: true }`,
      (one) => one.partnerId === partnerId && isSilent(one),
    ],
    ["implementingPartnerId=none", "filter: { hasImplementingPartner: false }", (one) => one.partnerId === null],
    [
      "implementingPartnerId=none&modes=none",
      "filter: { hasImplementingPartner: false, modes: [none] }",
      (one) => one.partnerId === null && one.mode === null,
    ],
  ];
}

test("each filter finds the facilities of a recount, by REST, by GraphQL and as a CSV file", async () => {
  let matched = 0;
  for (const [query, filter, matches] of cases()) {
    const wanted = all
      .filter(matches)
      .map(({ facilityUuid }) => facilityUuid)
      .toSorted();
    matched += wanted.length;
    const rest = await admin.get(`/api/v1/facility?${query}`);
    expect([query, rest.status]).toEqual([query, 200]);
    expect(
      bodyOf<{ uuid: string }[]>(rest)
        .map(({ uuid }) => uuid)
        .toSorted(),
      query,
    ).toEqual(wanted);
    const paged = await admin.get(`/api/v1/facility?${query}&limit=1000`);
    expect(bodyOf<unknown[]>(paged).length, query).toBe(wanted.length);
    const { data, errors } = await admin.graphql(
      `{ facilities(${filter}, first: 100) { totalCount nodes { facilityUuid } } }`,
    );
    expect([query, errors]).toEqual([query, undefined]);
    expect([query, data.facilities.totalCount]).toEqual([query, wanted.length]);
    expect(wanted, query).toEqual(expect.arrayContaining(data.facilities.nodes.map((one: Known) => one.facilityUuid)));
    const file = parse((await admin.get(`/api/v1/facility/csv?${query}`)).text, {
      bom: true,
      columns: true,
    }) as (Known & { distanceKm?: string })[];
    expect(file.map(({ facilityUuid }) => facilityUuid).toSorted(), query).toEqual(wanted);
    const from = { latitude: -15.4167, longitude: 28.2833 };
    const farOf = (one: Known) =>
      query.startsWith("near") ? (Math.round(metresBetween(from, one) / 100) / 10).toString() : undefined;
    expect(file.map(({ distanceKm }) => distanceKm)).toEqual(file.map(farOf));
  }
  expect(matched).toBeGreaterThan(all.length);
});

test("closed facilities are a separate list, by REST, by GraphQL and as a CSV file", async () => {
  const rows = await gateway.sql<{ uuid: string }>`
    select facility_uuid as uuid from facility where closed_on is not null order by facility_name, facility_uuid`;
  const closed = rows.map(({ uuid }) => uuid);
  expect(closed.length).toBeGreaterThan(2);
  const listed = async (query: string) =>
    bodyOf<{ uuid: string }[]>(await admin.get(`/api/v1/facility?${query}`)).map(({ uuid }) => uuid);
  expect(await listed("closed=yes")).toEqual(closed);
  expect(await listed("closed=no")).toEqual(await listed(""));
  const { data } = await admin.graphql(
    `{ facilities(filter: { closed: true }, first: 100) { nodes { facilityUuid } } }`,
  );
  expect(data.facilities.nodes.map((one: Known) => one.facilityUuid)).toEqual(closed);
  const file = parse((await admin.get("/api/v1/facility/csv?closed=yes")).text, { bom: true, columns: true }) as {
    facilityUuid: string;
    closedOn: string;
  }[];
  expect(file.map(({ facilityUuid }) => facilityUuid)).toEqual(closed);
  expect(file.every(({ closedOn }) => closedOn < today)).toBe(true);
});

test("the lists of a place, a partner and a mode accept the same filters", async () => {
  const { provinceId, districtId, partnerId } = all.find((one) => one.partnerId !== null && one.mode === "EFirst")!;
  const lists: Case[] = [
    [
      `/facility/province/${provinceId}?functional=no`,
      "",
      (one) => one.provinceId === provinceId && one.day !== null && !one.functional,
    ],
    [`/facility/district/${districtId}?assessed=yes`, "", (one) => one.districtId === districtId && one.day !== null],
    [
      `/facility/ip/${partnerId}?power=yes`,
      "",
      (one) => one.partnerId === partnerId && one.day !== null && one.power === true,
    ],
    [`/facility/mode/EFirst?silent=yes`, "", (one) => one.mode === "EFirst" && isSilent(one)],
    [
      `/facility/mode/EFirst/province/${provinceId}?implementingPartnerId=none`,
      "",
      (one) => one.mode === "EFirst" && one.provinceId === provinceId && one.partnerId === null,
    ],
    // A parameter narrows the list of the path; it does not replace it.
    [
      `/facility/province/${provinceId}?districtId=${districtId}`,
      "",
      (one) => one.provinceId === provinceId && one.districtId === districtId,
    ],
  ];
  for (const [path, , matches] of lists) {
    const answer = await admin.get(`/api/v1${path}`);
    expect([path, bodyOf<unknown[]>(answer).length]).toEqual([path, all.filter(matches).length]);
  }
});

test("a wrong value is refused by name, an unknown place returns 404, a value that no facility has gives an empty list", async () => {
  const wrong = [
    "assessed=maybe",
    "modes=EFirst,Elsewhere",
    "modes=",
    "assessedBefore=2026-02-30",
    "assessedBefore=soon",
    "noTdbSince=soon",
    "noTdbSince=2026-02-30",
    "position=",
    "implementingPartnerId=nobody",
    "catchmentPopulationFrom=-1",
    "near=-15.4,28.3",
    "near=-15.4,28.3,0",
    "near=-15.4,28.3,20,50",
    "inARow=smartCareFunctional.2.no",
    "facilityType=",
    "colour=red",
    "sort=colour",
  ];
  for (const query of wrong) {
    for (const path of query.startsWith("sort") ? ["/facility/csv"] : ["/facility", "/facility/csv"]) {
      const answer = await admin.get(`/api/v1${path}?${query}`);
      expect([path, query, answer.status]).toEqual([path, query, 422]);
      expect(errorsOf(answer).map(({ path: named }) => named)).toEqual([query.split("=")[0]]);
    }
  }
  for (const [query, what] of [
    ["provinceId=99999", "province"],
    ["districtId=99999", "district"],
    ["implementingPartnerId=99999", "implementing partner"],
  ]) {
    const answer = await admin.get(`/api/v1/facility?${query}&assessed=yes`);
    expect([query, answer.status, bodyOf<{ detail: string }>(answer).detail]).toEqual([
      query,
      404,
      `There is no such ${what}.`,
    ]);
  }
  expect((await admin.get("/api/v1/facility?facilityType=Castle")).body).toEqual([]);
});

test("filters by open facts need no right; filters by what only a record says need the right to see records", async () => {
  const [plain, viewer, admin] = await Promise.all(["plain", "viewer", "admin"].map((login) => gateway.as(login)));
  for (const query of [
    "functional=yes",
    "power=no",
    "oldVersion=no",
    "assessedBefore=2026-01-01",
    "silent=yes",
    "noTdbSince=2026-01-01",
    "inARow=PRIMARY_POWER_WORKING.2.no",
    "near=-15.4,28.3,,200",
    "assessed=no",
    "modes=none",
  ]) {
    const [own, all] = await Promise.all([plain!, admin!].map((person) => person.get(`/api/v1/facility?${query}`)));
    expect([query, own!.status, own!.body]).toEqual([query, 200, all!.body]);
  }
  expect((await plain!.get("/api/v1/facility/csv?functional=no&sort=-lastAssessed")).status).toBe(200);
  const counted = async (person: Person, filter: string) =>
    (await person.graphql(`{ facilities(filter: { ${filter} }) { totalCount } }`)).errors?.[0].extensions.code ??
    "answered";
  for (const open of [
    'latestAssessment: { backupPower: true, mode: [EFirst], libraryVersionBelow: "4.9" }',
    'change: { from: "2026-01-01", lost: [SMART_CARE_FUNCTIONAL] }',
    'lastAssessedBefore: "2026-01-01"',
  ])
    expect([open, await counted(plain!, open)]).toEqual([open, "answered"]);
  const records = [
    "staffTrainedFrom: 1",
    "staffTrainedTo: 9",
    'upgradedBefore: "2026-01-01"',
    'upgradedFrom: "2026-01-01"',
    "libraryVersionConsistent: true",
  ];
  for (const record of [
    'upgradedBefore: "2026-01-01"',
    ...records.flatMap((each) => [`latestAssessment: { ${each} }`, `earlierAssessment: { ${each} }`]),
    'change: { from: "2026-01-01", clientsFell: true }',
  ])
    expect([record, await counted(plain!, record), await counted(viewer!, record)]).toEqual([
      record,
      "FORBIDDEN",
      record.includes("clientsFell") ? "FORBIDDEN" : "answered",
    ]);
});
