import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import type { Kind } from "../../gateway/reference/load/load.rules.ts";
import { loadLists, type Source } from "../../gateway/registry/load/load.ts";
import { say } from "../../gateway/registry/load/report.ts";
import { testDatabase } from "../support/database.ts";
import { isShort } from "../support/short.ts";

/**
 * Loading lists from CSV files into a real database. The files are made here; their places and facilities are made up.
 */

let database: Awaited<ReturnType<typeof testDatabase>>;
let folder: string;
let number = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "load-test-"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

async function csv(kind: Kind, ...lines: string[]): Promise<Source> {
  const file = join(folder, `${kind}-${(number += 1)}.csv`);
  await writeFile(file, lines.map((line) => `${line}\r\n`).join(""));
  return { kind, file };
}

async function load(sources: Source[], dryRun = false, addPlaces = false, mayChangeIdentifiers = false) {
  const { outcome, counts, errors, warnings, notes } = await loadLists(database.db, {
    sources,
    dryRun,
    addPlaces,
    mayChangeIdentifiers,
    by: "tester",
  });
  const brief = (kind: Kind) => {
    const { rows, added, changed, unchanged } = counts[kind];
    return { rows, added, changed, unchanged };
  };
  const short = (text: string) => text.replaceAll(`${folder}/`, "");
  return {
    outcome,
    brief,
    errors: errors.map((error) => short(say(error))),
    warnings: warnings.map((warning) => short(say(warning))),
    notes,
  };
}

const facilities = () =>
  database.db
    .selectFrom("facility")
    .innerJoin("district", "district.districtId", "facility.districtId")
    .innerJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("implementingPartner as partner", "partner.implementingPartnerId", "facility.implementingPartnerId")
    .select([
      "facilityUuid as uuid",
      "facilityName as name",
      "hmisCode as code",
      "latitude",
      "longitude",
      "facilityType as type",
    ])
    .select(["district.name as district", "province.name as province", "partner.name as partner"])
    .orderBy("facility.createdAt")
    .orderBy("facilityUuid")
    .execute();

/** All rows that a load may write, to check that nothing was written. */
async function content(): Promise<string> {
  const tables = [
    "province",
    "district",
    "implementingPartner",
    "serviceArea",
    "smartcareVersion",
    "connectivityType",
  ] as const;
  const rows = await Promise.all([
    ...[...tables, "connectivityProvider" as const, "facilityServiceArea" as const, "auditEvent" as const].map(
      (table) => database.db.selectFrom(table).selectAll().execute(),
    ),
    database.db.selectFrom("facility").selectAll().orderBy("facilityUuid").execute(),
  ]);
  return JSON.stringify(rows);
}

const ownUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const header = "hmisCode,name,province,district,facilityType,latitude,longitude";

test("loads every kind of list, whatever the order of the arguments; a second load changes nothing", async () => {
  const sources = [
    await csv(
      "facilities",
      "uuid,name,hmisCode,oldHmisCode,province,district,implementingPartner,serviceAreas,ownership,laboratoryLevel,healthCenterType",
      "iuZGoEGlozV,Demo Clinic,1001,77,Lusaka,Kafue,partner a,ART; pmtct,GRZ,Level 1,Urban",
      ",Other Clinic,,,Lusaka,Kafue,,,,,",
    ),
    await csv("serviceAreas", "serviceArea", "ART", "PMTCT"),
    await csv("connectivityProviders", "provider", "Provider 1"),
    await csv("connectivityTypes", "type", "Fibre", "VSAT"),
    await csv("versions", "libraryVersion,databaseVersion", "4.0,17", "4.0,18"),
    await csv("partners", "name,active", "Partner A,", "Partner B,no"),
    await csv("districts", "province,district", "Lusaka,Kafue", "Eastern,Katete"),
    await csv("provinces", "province", "Lusaka", "Eastern"),
  ];
  const first = await load(sources);
  expect(first.errors).toEqual([]);
  expect(first.outcome).toBe("loaded");
  expect(first.brief("facilities")).toEqual({ rows: 2, added: 2, changed: 0, unchanged: 0 });
  expect(first.brief("versions")).toEqual({ rows: 2, added: 2, changed: 0, unchanged: 0 });
  expect(await facilities()).toMatchObject([
    { uuid: expect.stringMatching(ownUuid), name: "Other Clinic", code: null, partner: null },
    {
      uuid: "iuZGoEGlozV",
      name: "Demo Clinic",
      code: "1001",
      district: "Kafue",
      province: "Lusaka",
      partner: "Partner A",
    },
  ]);
  expect(await database.db.selectFrom("facilityServiceArea").selectAll().execute()).toHaveLength(2);
  expect(
    await database.db.selectFrom("implementingPartner").select(["name", "active"]).orderBy("name").execute(),
  ).toEqual([
    { name: "Partner A", active: true },
    { name: "Partner B", active: false },
  ]);
  const events = database.db.selectFrom("auditEvent").select(["action", "outcome", "details"]);
  expect(await events.execute()).toMatchObject([
    { action: "registry.import", outcome: "done", details: { by: "tester", rows: 2 } },
    { action: "registry.import.apply", outcome: "done", details: { by: "tester", added: 2, changed: 0 } },
    { action: "reference.load", outcome: "done", details: { by: "tester", counts: { facilities: { added: 2 } } } },
  ]);

  const before = await facilities();
  const second = await load(sources);
  for (const { kind } of sources)
    expect(second.brief(kind)).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 2 - Number(kind === "connectivityProviders"),
    });
  expect(await facilities()).toEqual(before);
  expect((await events.execute()).slice(3)).toMatchObject([{ action: "reference.load" }]);
});

test("reports every error of every file and changes nothing", async () => {
  await load([await csv("facilities", header, "1,Alpha,Lusaka,Kafue,,,")]);
  const before = await content();
  const result = await load([
    await csv(
      "facilities",
      "hmisCode,name,province,district,facilityType,latitude,longitude,implementingPartner,serviceAreas",
      "2,,Lusaka,Kafue,,,,,",
      "3,Good,Lusaka,Kafue,,,,,",
      '4,"Two\r\nlines",Lusaka,Kafue,,x,200,,',
      "3,Repeats,Lusaka,Kafue,,,,Nobody,ART;XYZ",
      "5,Long,Lusaka,Kafue,,,,,,x",
      '6,In"side,Lusaka,Kafue,,,,,',
      "7,Elsewhere,Lusakaa,Kafue,,,,,",
      "8,Elsewhere,Lusaka,Kafu,,,,,",
      "3,Repeats too,Lusaka,Kafue,,,,,",
    ),
    await csv("serviceAreas", "serviceArea", "ART", ""),
    await csv("serviceAreas", "serviceArea,x", ",x"),
    await csv("versions", "libraryVersion", "1"),
    await csv("districts", "province,district", "Lusaka,Chongwe"),
    { kind: "partners", file: join(folder, "none.csv") },
  ]);
  const file = /^facilities-\d+\.csv/;
  expect(result.outcome).toBe("refused");
  expect(result.errors.map((error) => error.replace(file, "f").replace(/^(\w+)-\d+\.csv/, "$1"))).toEqual([
    "f:2 name: is empty",
    "f:4 latitude: 'x' is not a number (digits, with a point for decimals)",
    "f:4 longitude: 200 is outside of -180 to 180",
    expect.stringMatching(/^f:6 hmisCode: '3' is already in line 3$/),
    "f:6 implementingPartner: there is no implementing partner 'Nobody': load it with --partners",
    "f:6 serviceAreas: there is no service area 'XYZ': load it with --service-areas",
    "f:7: has 10 cells where the first line names 9 columns",
    expect.stringMatching(/^f:8 name: 'In': there is a quote/),
    "f:9 province: 'Lusakaa' is neither stored nor in the list of provinces of this load: is 'Lusaka' meant?",
    "f:10 district: 'Kafu' is neither stored nor in the list of districts of this load: is 'Kafue' meant?",
    "f:11 hmisCode: '3' is already in line 3",
    "serviceAreas:2 serviceArea: is empty",
    "versions:1 databaseVersion: the file lacks this column",
    "none.csv: there is no such file",
  ]);
  expect(await content()).toBe(before);
});

test("a dry run reports the counts and stores nothing", async () => {
  const sources = [await csv("facilities", header, "1,Alpha,Lusaka,Kafue,,,", ",Beta,Lusaka,Kafue,,,")];
  const before = await content();
  const tried = await load(sources, true);
  expect(tried.outcome).toBe("tried");
  expect(tried.brief("facilities")).toEqual({ rows: 2, added: 2, changed: 0, unchanged: 0 });
  expect(await content()).toBe(before);
});

test("a missing column and an empty cell keep the stored value; a filled cell changes it", async () => {
  await load([await csv("facilities", header, "1,Alpha,Lusaka,Kafue,Health Post,-15.7,28.1")]);
  const withoutValues = await load([
    await csv("facilities", "hmisCode,name,province,district,latitude,longitude", "1,Alpha,Lusaka,Kafue,,"),
  ]);
  expect(withoutValues.brief("facilities")).toEqual({ rows: 1, added: 0, changed: 0, unchanged: 1 });
  const withValues = await load(
    [await csv("facilities", header, "1,Alpha Centre,Lusaka,Chongwe,,-15.8,28.2")],
    false,
    true,
  );
  expect(withValues.brief("facilities")).toEqual({ rows: 1, added: 0, changed: 1, unchanged: 0 });
  expect(await facilities()).toMatchObject([
    { name: "Alpha Centre", district: "Chongwe", type: "Health Post", latitude: -15.8, longitude: 28.2 },
  ]);
});

test("the counts of a facility follow it when a list moves it to another district or province", async () => {
  await load([
    await csv("facilities", "hmisCode,name,province,district", "1,Alpha,Lusaka,Kafue", "2,Beta,Lusaka,Kafue"),
  ]);
  await sql`
    insert into assessment_day_rollup (facility_uuid, day, assessments, province_id, district_id, implementing_partner_id)
    select facility_uuid, '2026-10-05', 3, province_id, district_id, implementing_partner_id from facility`.execute(
    database.db,
  );
  const counted = async () => {
    const { rows } = await sql<{ place: string }>`
      select concat_ws(' ', kind, province.name, district.name, value) as place
      from place_count_rollup join province using (province_id) left join district using (district_id) where value <> 0 and period = 'day'`.execute(
      database.db,
    );
    return rows.map(({ place }) => place).toSorted();
  };
  expect(await counted()).toEqual([
    "assessments Lusaka 6",
    "assessments Lusaka Kafue 6",
    "sites Lusaka 2",
    "sites Lusaka Kafue 2",
  ]);
  const moved = await load(
    [await csv("facilities", "hmisCode,name,province,district", "1,Alpha,Lusaka,Chongwe", "2,Beta,Eastern,Katete")],
    false,
    true,
  );
  expect(moved.errors).toEqual([]);
  expect(await counted()).toEqual(
    ["assessments 3", "sites 1"].flatMap((counts) => {
      const [kind, value] = counts.split(" ");
      return ["Eastern", "Eastern Katete", "Lusaka", "Lusaka Chongwe"].map((place) => `${kind} ${place} ${value}`);
    }),
  );
});

test("repeated names in a district are different facilities, also in a second load", async () => {
  const sources = [
    await csv(
      "facilities",
      header,
      ",Twin,Lusaka,Kafue,Hospital,,",
      ",TWIN ,Lusaka,Kafue,Health Post,,",
      "9,Twin,Lusaka,Kafue,,,",
      ",Twin,Lusaka,Chongwe,,,",
    ),
  ];
  const first = await load(sources);
  expect(first.brief("facilities").added).toBe(4);
  expect(first.warnings).toEqual([
    expect.stringMatching(/:3 name: the same name and district as row 2: loaded as another facility$/),
    expect.stringMatching(/:4 name: the same name and district as row 2: loaded as another facility$/),
  ]);
  const before = await facilities();
  expect((await load(sources)).brief("facilities")).toEqual({ rows: 4, added: 0, changed: 0, unchanged: 4 });
  const reversed = [
    await csv("facilities", header, ",TWIN,Lusaka,Kafue,Health Post,,", ",Twin,Lusaka,Kafue,Hospital,,"),
  ];
  expect((await load(reversed)).brief("facilities")).toEqual({ rows: 2, added: 0, changed: 0, unchanged: 2 });
  expect(await facilities()).toEqual(before);
});

test("a facility takes the uuid of a later list unless something is recorded about it", async () => {
  await load([
    await csv("facilities", header, "1,Alpha,Lusaka,Kafue,,,", ",Beta,Lusaka,Kafue,,,", "3,Gamma,Lusaka,Kafue,,,"),
    await csv("serviceAreas", "name", "ART"),
  ]);
  const [alpha, , gamma] = await facilities();
  await database.db
    .insertInto("auditEvent")
    .values({ action: "facility.settings", outcome: "done", facilityUuid: alpha!.uuid })
    .execute();
  await database.db.insertInto("facilityServiceArea").values({ facilityUuid: gamma!.uuid, serviceAreaId: 1 }).execute();
  const sources = [
    await csv(
      "facilities",
      "smartcareGuid,hmisCode,name,province,district",
      "guid-a,1,Alpha,Lusaka,Kafue",
      "guid-b,,beta,Lusaka,Kafue",
      "guid-c,3,Gamma,Lusaka,Kafue",
    ),
  ];
  const taken = await load(sources);
  expect(taken.brief("facilities")).toEqual({ rows: 3, added: 0, changed: 3, unchanged: 0 });
  expect(taken.notes).toEqual([
    "uuids taken from the file: 2 (nothing was recorded about these facilities yet)",
    "uuids not taken from the file: 1 (records point at these facilities by the uuid that they have)",
  ]);
  const now = await facilities();
  expect(now.map(({ uuid, name }) => [uuid, name]).toSorted()).toEqual(
    [
      [alpha!.uuid, "Alpha"],
      ["guid-b", "beta"],
      ["guid-c", "Gamma"],
    ].toSorted(),
  );
  expect(await database.db.selectFrom("facilityServiceArea").select("facilityUuid").execute()).toEqual([
    { facilityUuid: "guid-c" },
  ]);
  expect((await load(sources)).brief("facilities")).toEqual({ rows: 3, added: 0, changed: 0, unchanged: 3 });
});

test("codes can be exchanged between facilities, but not taken from a facility that is not in the list", async () => {
  await load([
    await csv(
      "facilities",
      "uuid,hmisCode,name,province,district",
      "a,1,Alpha,Lusaka,Kafue",
      "b,2,Beta,Lusaka,Kafue",
      "c,3,Gamma,Lusaka,Kafue",
    ),
  ]);
  const exchanged = await load(
    [
      await csv(
        "facilities",
        "uuid,hmisCode,name,province,district",
        "a,2,Alpha,Lusaka,Kafue",
        "b,1,Beta,Lusaka,Kafue",
      ),
    ],
    false,
    false,
    true,
  );
  expect(exchanged.errors).toEqual([]);
  expect(exchanged.warnings).toEqual([
    expect.stringMatching(/:2 hmisCode: '2' replaces '1', by which 'Alpha' is known until now$/),
    expect.stringMatching(/:3 hmisCode: '1' replaces '2', by which 'Beta' is known until now$/),
  ]);
  expect((await facilities()).map(({ uuid, code }) => `${uuid}${code}`).toSorted()).toEqual(["a2", "b1", "c3"]);
  const taken = await load([await csv("facilities", "uuid,hmisCode,name,province,district", "a,3,Alpha,Lusaka,Kafue")]);
  expect(taken.errors).toEqual([
    expect.stringMatching(/:2 hmisCode: uuid is that of 'Alpha' \(a\); HMIS code 3 is that of 'Gamma' \(c\)$/),
  ]);
});

test("a position outside Zambia is stored with a warning, unless a position inside is stored already", async () => {
  await load([await csv("facilities", header, "1,Alpha,Lusaka,Kafue,,-15.7,28.1")]);
  const { warnings, brief } = await load([
    await csv("facilities", header, "1,Alpha,Lusaka,Kafue,,28.1,-15.7", "2,Beta,Lusaka,Kafue,,15.7,28.1"),
  ]);
  expect(warnings).toEqual([
    expect.stringMatching(
      /:2 latitude: 28.1, -15.7 is outside Zambia \(latitude and longitude are probably swapped\)$/,
    ),
    expect.stringMatching(/:2: the stored position stays: it lies in the country$/),
    expect.stringMatching(
      /:3 latitude: 15.7, 28.1 is outside Zambia \(the minus sign of the latitude is probably missing\)$/,
    ),
  ]);
  expect(brief("facilities")).toEqual({ rows: 2, added: 1, changed: 0, unchanged: 1 });
  expect(await facilities()).toMatchObject([{ latitude: -15.7 }, { latitude: 15.7, longitude: 28.1 }]);
});

test("districts of one name in two provinces are different; unknown places are refused unless the load may add them", async () => {
  const list = await csv("districts", "province,district", "Eastern,Chama", "Muchinga,Chama", "Muchinga,Isoka");
  const rows = await csv(
    "facilities",
    header,
    ",Alpha,Eastern,Chama,,,",
    ",Alpha,Muchinga,chama,,,",
    ",Alpha,Muchinga,Mpika,,,",
    ",Alpha,Western,Mongu,,,",
  );
  const { errors, warnings } = await load([rows, list]);
  expect(warnings).toEqual([
    expect.stringMatching(/:3 district: Eastern has a district 'Chama' too: this is another one$/),
  ]);
  expect(errors).toEqual([
    expect.stringMatching(/:4 district: 'Mpika' is neither stored nor in the list of districts of this load$/),
    expect.stringMatching(/:5 province: 'Western' is neither stored nor in the list of provinces of this load$/),
  ]);
  expect((await load([list])).brief("districts")).toEqual({ rows: 3, added: 3, changed: 0, unchanged: 0 });
  const unknown = await load([rows]);
  expect([unknown.outcome, unknown.errors]).toEqual([
    "refused",
    [
      expect.stringMatching(
        /:4 district: 'Mpika' is not known: add it by --districts, or let this load add it by --add-places$/,
      ),
      expect.stringMatching(
        /:5 province: 'Western' is not known: add it by --provinces, or let this load add it by --add-places$/,
      ),
    ],
  ]);
  const later = await load([rows], false, true);
  expect(later.errors).toEqual([]);
  expect(later.brief("facilities").added).toBe(4);
  expect(later.warnings).toEqual([
    expect.stringMatching(/:4 district: 'Mpika' is a new district, added$/),
    expect.stringMatching(/:5 province: 'Western' is a new province, added$/),
    expect.stringMatching(/:5 district: 'Mongu' is a new district, added$/),
  ]);
});

test("a place named almost like a stored one is refused with a suggestion, unless its own list adds it; two such new places in one file are added", async () => {
  const places = await csv(
    "facilities",
    header,
    ",Alpha,Lusaka,Kafue,,,",
    ",Beta,Lusaka,Kafu,,,",
    ",Gamma,Lusaka Province,Kafue,,,",
  );
  await load([await csv("districts", "province,district", "Lusaka,Kafue")]);
  const { errors, outcome } = await load([places]);
  expect(outcome).toBe("refused");
  expect(errors.map((error) => error.replace(/^.*?:/, ""))).toEqual([
    "3 district: 'Kafu' is not known: is 'Kafue' meant? A district that is really called so is added by --districts",
    "4 province: 'Lusaka Province' is not known: is 'Lusaka' meant? A province that is really called so is added by --provinces",
  ]);
  await load([
    await csv("provinces", "province", "Lusaka", "Lusaka Province"),
    await csv("districts", "province,district", "Lusaka,Kafue", "Lusaka,Kafu", "Lusaka Province,Kafue"),
  ]);
  expect((await load([places])).brief("facilities").added).toBe(3);

  const { warnings, brief } = await load(
    [await csv("facilities", header, ",Alpha,Eastern,Chipata,,,", ",Beta,Eastern,Chipat,,,")],
    false,
    true,
  );
  expect(brief("facilities").added).toBe(2);
  expect(warnings).toContainEqual(
    expect.stringMatching(/:3 district: 'Chipat' is a new district, added: is 'Chipata' meant\?$/),
  );
});

test("partners keep their state unless the file has another one, and take the spelling of the file", async () => {
  await load([await csv("partners", "name,active", "Partner A,no", "Partner B,")]);
  const { brief, warnings } = await load([
    await csv("partners", "name,active", "PARTNER A,", "partner a,", "Partner B,false", "Partner C,yes"),
  ]);
  expect(brief("partners")).toEqual({ rows: 4, added: 1, changed: 2, unchanged: 0 });
  expect(warnings).toEqual([expect.stringMatching(/:3 name: is named in line 2 already: taken once$/)]);
  expect(
    await database.db.selectFrom("implementingPartner").select(["name", "active"]).orderBy("name").execute(),
  ).toEqual([
    { name: "PARTNER A", active: false },
    { name: "Partner B", active: false },
    { name: "Partner C", active: true },
  ]);
});

test("loads thousands of facilities; a second load changes nothing", async () => {
  const length = isShort ? 2000 : 10_000;
  const lines = Array.from({ length }, (_, index) => {
    const code = index % 5 === 0 ? "" : String(10_000_000 + index);
    return `${code},Facility ${index % 9_900},Province ${index % 10},District ${index % 100},Health Post,-${9 + (index % 800) / 100},${23 + (index % 900) / 100}`;
  });
  const sources = [await csv("facilities", header, ...lines)];
  const first = await loadLists(database.db, { sources, dryRun: false, by: "tester" });
  expect(first.counts.facilities.added).toBe(length);
  expect((await load(sources)).brief("facilities")).toEqual({ rows: length, added: 0, changed: 0, unchanged: length });
});
