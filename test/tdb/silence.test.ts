import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import type { Handle } from "../../db/engine/connect.ts";
import { noteRecounts, rebuildRollups, recountNoted } from "../../db/derived/recount.ts";
import { refreshTdbSilence, rhythmSetting } from "../../db/derived/silence.ts";
import { listSitesByUuid } from "../../db/facility/silence.ts";
import { createServer } from "../../gateway/http/server.ts";
import { irregularities, recentDays, sendingModes } from "../../gateway/tdb/silence.rules.ts";
import { diceFrom } from "../dash/dash-data.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import {
  type Country,
  orders,
  readCountry,
  recountIrregularities,
  recountSites,
  recountUnits,
  sets,
  type Site,
} from "./silence-recount.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf, formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/**
 * Silent sites by REST and GraphQL, compared with a recount of every TDB. Irregularities are found at receipt, in any
 * order of arrival.
 */

const dice = diceFrom(202611);
let country: Country;
let userUuid: string;
let quiet: string[];

type Given = {
  facilityUuid: string;
  receivedDaysAgo: number;
  createdDaysAgo: number;
  delta: boolean;
  totalPatients: number;
};

/** Inserts a TDB as an upload would, but received on another day. */
async function insertTdb(
  handle: Handle,
  { facilityUuid, receivedDaysAgo, createdDaysAgo, delta, totalPatients }: Given,
): Promise<string> {
  const tdbUuid = dice.uuid();
  const sha256 = dice.hex(64);
  // Noon in the configured time zone, so that the day there is exactly this one.
  const noon = (days: number) =>
    sql<string>`((now() at time zone 'Africa/Lusaka')::date - ${days}::int + time '12:00') at time zone 'Africa/Lusaka'`;
  await handle
    .insertInto("tdb")
    .values({
      ...{
        tdbUuid,
        facilityUuid,
        userUuid,
        delta,
        totalPatients,
        sha256,
        storageKey: sha256,
        fileName: "sample.tdbx",
        fileSize: 1000,
      },
      uploadedAt: noon(receivedDaysAgo),
      tdbCreatedAt: noon(createdDaysAgo),
    })
    .execute();
  return tdbUuid;
}

const irregular = async (handle: Handle): Promise<string[]> =>
  (await handle.selectFrom("tdbIrregularity").select(["tdbUuid", "kind"]).execute())
    .map(({ tdbUuid, kind }) => `${tdbUuid} ${kind}`)
    .toSorted();

async function derived(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select 's' || s::text as row from tdb_silence s union all select 'i' || i::text from tdb_irregularity i order by row`.execute(
    handle,
  );
  return rows.map(({ row }) => row);
}

const gateway = await gatewayOfFile();
const [uploader, plain, admin] = await Promise.all([gateway.as("uploader"), gateway.as("plain"), gateway.as("admin")]);
beforeAll(async () => {
  ({ userUuid } = await gateway.db
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", "uploader")
    .executeTakeFirstOrThrow());
  const without = await gateway.db
    .selectFrom("facility")
    .select("facilityUuid")
    .where(sql<boolean>`not exists (select from tdb where tdb.facility_uuid = facility.facility_uuid)`)
    .orderBy("facilityUuid")
    .execute();
  quiet = without.map(({ facilityUuid }) => facilityUuid);
});

const [full, delta] = [false, true];
type Step = [receivedDaysAgo: number, createdDaysAgo: number, delta: boolean, patients: number, kinds: string[]];
test.each<[string, Step[]]>([
  [
    "a full TDB, then deltas",
    [
      [9, 9, full, 10, []],
      [8, 8, delta, 10, []],
      [7, 7, delta, 12, []],
    ],
  ],
  ["a delta alone", [[9, 9, delta, 10, ["deltaWithoutBase"]]]],
  [
    "a delta whose full TDB arrived later but was created earlier",
    [
      [8, 7, delta, 10, []],
      [6, 9, full, 10, ["creationBack"]],
    ],
  ],
  [
    "a delta, then a full TDB created after it",
    [
      [9, 9, delta, 10, ["deltaWithoutBase"]],
      [8, 8, full, 10, []],
      [7, 7, delta, 10, []],
    ],
  ],
  [
    "fewer clients, then as many again",
    [
      [9, 9, full, 10, []],
      [8, 8, full, 7, ["clientsBack"]],
      [7, 7, full, 9, ["clientsBack"]],
      [6, 6, full, 10, []],
    ],
  ],
  [
    "an older full TDB that arrived late with more clients",
    [
      [9, 5, full, 10, ["clientsBack"]],
      [8, 6, full, 11, ["creationBack"]],
      [7, 4, full, 10, ["clientsBack"]],
      [6, 3, full, 11, []],
    ],
  ],
  [
    "an older delta that arrived late",
    [
      [9, 9, full, 10, []],
      [8, 5, full, 30, []],
      [7, 7, delta, 8, ["clientsBack", "creationBack"]],
    ],
  ],
  [
    "all kinds together",
    [
      [9, 2, full, 10, ["clientsBack"]],
      [8, 3, delta, 12, ["creationBack", "deltaWithoutBase"]],
      [7, 1, delta, 11, ["clientsBack"]],
    ],
  ],
  [
    "created at the same time",
    [
      [9, 5, full, 10, []],
      [8, 5, delta, 10, []],
      [7, 5, full, 9, ["clientsBack"]],
    ],
  ],
])("irregularities: %s", async (_, steps) => {
  // The result is the same in every order of arrival.
  for (const order of [(at: number) => at, (at: number) => -at, () => dice.upTo(1000)]) {
    const facilityUuid = quiet[0]!;
    const judged = await gateway.db
      .transaction()
      .execute(async (handle) => {
        const uuids: string[] = [];
        for (const at of steps.map((_step, index) => index).toSorted((a, b) => order(a) - order(b) || a - b)) {
          const [receivedDaysAgo, createdDaysAgo, isDelta, totalPatients] = steps[at]!;
          uuids[at] = await insertTdb(handle, {
            facilityUuid,
            receivedDaysAgo,
            createdDaysAgo,
            delta: isDelta,
            totalPatients,
          });
          await refreshTdbSilence(handle, { facilityUuid, tdbUuid: uuids[at] });
        }
        const found = await irregular(handle);
        throw Object.assign(new Error("undo"), {
          kinds: uuids.map((uuid) => found.filter((one) => one.startsWith(uuid)).map((one) => one.split(" ")[1])),
        });
      })
      .catch((error: Error & { kinds?: string[][] }) => error.kinds ?? Promise.reject(error));
    expect(judged).toEqual(steps.map(([, , , , kinds]) => kinds));
  }
});

test.each<[mode: string | null, rhythmDays: number, daysSince: number | null, expected: boolean, overdue: boolean]>([
  ["EFirst", 30, 0, true, false],
  ["EFirst", 30, 29, true, false],
  ["EFirst", 30, 30, true, false],
  ["EFirst", 30, 31, true, true],
  ["ELast", 30, 4000, true, true],
  ["EFirst", 30, null, true, true],
  ["EFast", 30, null, true, true],
  ["ELast", 30, null, true, true],
  ["Partial", 30, null, true, true],
  ["NotDeployed", 30, null, false, false],
  ["NotOperational", 30, null, false, false],
  [null, 30, null, false, false],
  ["NotDeployed", 30, 31, true, true],
  ["NotOperational", 30, 30, true, false],
  [null, 30, 31, true, true],
  ["EFirst", 1, 1, true, false],
  ["EFirst", 1, 2, true, true],
  ["EFirst", 365, 365, true, false],
  ["EFirst", 365, 366, true, true],
])(
  "mode %s, a rhythm of %s days, %s days since the last TDB: expected %s, overdue %s",
  async (mode, rhythmDays, daysSince, expected, overdue) => {
    const facilityUuid = quiet[0]!;
    const flags = await gateway.db
      .transaction()
      .execute(async (handle) => {
        await handle
          .updateTable("setting")
          .set({ value: String(rhythmDays) })
          .where("name", "=", rhythmSetting)
          .execute();
        await handle
          .updateTable("facility")
          .set({ functionalityStatusMode: mode })
          .where("facilityUuid", "=", facilityUuid)
          .execute();
        if (daysSince !== null) {
          const tdb = { facilityUuid, receivedDaysAgo: 0, createdDaysAgo: daysSince, delta: false, totalPatients: 10 };
          await refreshTdbSilence(handle, { facilityUuid, tdbUuid: await insertTdb(handle, tdb) });
        }
        const [row] = await listSitesByUuid(handle, {
          rule: { modes: sendingModes, recentDays },
          facilityUuids: [facilityUuid],
        });
        throw Object.assign(new Error("undo"), { flags: [row!.expected, row!.overdue] });
      })
      .catch((error: Error & { flags?: boolean[] }) => error.flags ?? Promise.reject(error));
    expect(flags).toEqual([expected, overdue]);
  },
);

test("random TDBs in random order, some removed again, give the irregularities of a recount and the rows of a rebuild", async () => {
  const facilities = quiet.slice(1, 13);
  const added: { tdbUuid: string; facilityUuid: string }[] = [];
  for (let n = 0; n < 150; n += 1) {
    await gateway.db.transaction().execute(async (handle) => {
      if (n % 10 === 9) {
        const [gone] = added.splice(dice.upTo(added.length - 1), 1);
        await handle.deleteFrom("tdb").where("tdbUuid", "=", gone!.tdbUuid).execute();
        await refreshTdbSilence(handle, { facilityUuid: gone!.facilityUuid });
        return;
      }
      const facilityUuid = dice.oneOf(facilities);
      const createdDaysAgo = dice.oneOf([0, 29, 30, 31, dice.upTo(300), dice.upTo(300)]);
      const receivedDaysAgo = dice.oneOf([createdDaysAgo, 0, 89, 90, dice.upTo(300)]);
      const given = {
        facilityUuid,
        createdDaysAgo,
        receivedDaysAgo,
        delta: dice.upTo(5) > 0,
        totalPatients: 300 - createdDaysAgo + dice.oneOf([0, 0, 0, 40]),
      };
      const tdbUuid = await insertTdb(handle, given);
      added.push({ tdbUuid, facilityUuid });
      await refreshTdbSilence(handle, { facilityUuid, tdbUuid });
    });
  }
  country = await readCountry(gateway.db);
  const kept = await irregular(gateway.db);
  expect(kept).toEqual(recountIrregularities(country));
  for (const kind of ["deltaWithoutBase", "creationBack", "clientsBack"])
    expect(kept.filter((one) => one.endsWith(kind)).length, kind).toBeGreaterThan(10);
  expect(kept.length).toBeLessThan(country.tdbs.length);
  const before = await derived(gateway.db);
  await rebuildRollups(gateway.db);
  expect(await derived(gateway.db)).toEqual(before);
});

const scopes = () => {
  const { provinceId, districtId } = country.facilities.find(({ facilityUuid }) => facilityUuid === quiet[1])!;
  const implementingPartnerId = country.facilities.find(
    (one) => one.provinceId === provinceId && one.implementingPartnerId,
  )!.implementingPartnerId!;
  return [{}, { provinceId }, { districtId }, { implementingPartnerId }, { provinceId, implementingPartnerId }];
};
const queryOf = (values: object) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
const argsOf = (values: object) =>
  Object.entries(values)
    .map(([name, value]) => `, ${name}: ${value}`)
    .join("");
const bySilence = (sites: Site[]) => sites.toSorted(orders["silence"]);

const fields = `facility { facilityUuid facilityName functionalityStatusMode district { districtId name } province { provinceId name }
  implementingPartner { implementingPartnerId implementingPartner } } lastTdbCreationDate lastTdbUploadDate daysSinceLastTdb rhythmDays
  expected overdue irregular deltaWithoutBaseDate creationBackDate clientsBackDate`;
type SiteFacility = Record<"facilityUuid" | "facilityName", string> & {
  functionalityStatusMode: string | null;
  district: { districtId: number; name: string };
  province: { provinceId: number; name: string };
  implementingPartner: { implementingPartnerId: number; implementingPartner: string } | null;
};
/** A GraphQL row in the form of a REST row. */
const flat = ({ facility, ...rest }: { facility: SiteFacility }) => ({
  facilityUuid: facility.facilityUuid,
  facilityName: facility.facilityName,
  districtId: facility.district.districtId,
  district: facility.district.name,
  provinceId: facility.province.provinceId,
  province: facility.province.name,
  implementingPartnerId: facility.implementingPartner?.implementingPartnerId ?? null,
  implementingPartner: facility.implementingPartner?.implementingPartner ?? null,
  functionalityStatusMode: facility.functionalityStatusMode,
  ...rest,
});

test("lists at every level are the same as a recount, by REST and GraphQL", async () => {
  for (const scope of scopes()) {
    const all = recountSites(country, scope);
    for (const [show, isIn] of Object.entries(sets)) {
      const expected = bySilence(all.filter(isIn));
      const { status, body } = await uploader.get(`/api/v1/tdb/silent?${queryOf({ ...scope, show })}`);
      expect({ scope, show, status, body }).toEqual({ scope, show, status: 200, body: expected });
      const set = show.replace(/[A-Z]/, (letter) => `_${letter}`).toUpperCase();
      const { data, errors } = await uploader.graphql(
        `{ silentSites(show: ${set}, first: 100${argsOf(scope)}) { totalCount nodes { ${fields} } } }`,
      );
      expect(errors).toBeUndefined();
      expect(data.silentSites.totalCount).toBe(expected.length);
      expect(data.silentSites.nodes.map(flat)).toEqual(expected.slice(0, 100));
    }
  }
  const overdue = recountSites(country, {}).filter(({ overdue: is }) => is);
  expect((await uploader.get("/api/v1/tdb/silent")).body).toEqual(bySilence(overdue));
  for (const sort of ["facility", "place"]) {
    expect((await uploader.get(`/api/v1/tdb/silent?sort=${sort}`)).body).toEqual(overdue.toSorted(orders[sort]));
    const { data } = await uploader.graphql(
      `{ silentSites(sort: ${sort.toUpperCase()}) { nodes { facility { facilityUuid } } } }`,
    );
    expect(data.silentSites.nodes.map(({ facility }: { facility: SiteFacility }) => facility.facilityUuid)).toEqual(
      overdue
        .toSorted(orders[sort])
        .slice(0, 100)
        .map(({ facilityUuid }) => facilityUuid),
    );
  }
  const named = overdue.filter(({ facilityName }) => facilityName.toLowerCase().includes("hospital"));
  expect(named.length).toBeGreaterThan(3);
  expect((await uploader.get("/api/v1/tdb/silent?search=HOSPITAL")).body).toEqual(bySilence(named));
});

test("the GraphQL fields of places, partners, facilities and TDBs return the same as a recount", async () => {
  const { provinceId, districtId, implementingPartnerId } = Object.assign({}, ...scopes().slice(1, 4)) as Record<
    string,
    number
  >;
  const { data, errors } = await uploader.graphql(`{
    province(provinceId: ${provinceId}) { silentSites { totalCount } silentSiteCounts(level: DISTRICT) { name overdue } }
    district(districtId: ${districtId}) { silentSites(show: ALL) { totalCount } }
    implementingPartner(implementingPartnerId: ${implementingPartnerId}) { silentSites(show: EXPECTED) { totalCount } }
    facility(facilityUuid: "${quiet[1]}") { tdbSilence { ${fields} } tdbs { nodes { uuid irregularities } } }
  }`);
  expect(errors).toBeUndefined();
  const of = (scope: object, set: string) => recountSites(country, scope).filter(sets[set]!).length;
  expect(data.province.silentSites.totalCount).toBe(of({ provinceId }, "overdue"));
  expect(data.district.silentSites.totalCount).toBe(of({ districtId }, "all"));
  expect(data.implementingPartner.silentSites.totalCount).toBe(of({ implementingPartnerId }, "expected"));
  expect(data.province.silentSiteCounts.reduce((sum: number, row: { overdue: number }) => sum + row.overdue, 0)).toBe(
    of({ provinceId }, "overdue"),
  );
  const site = recountSites(country, {}).find(({ facilityUuid }) => facilityUuid === quiet[1])!;
  expect(flat(data.facility.tdbSilence)).toEqual(site);
  expect((await uploader.get(`/api/v1/tdb/silent/facility/${encodeURIComponent(quiet[1]!)}`)).body).toEqual(site);
  const kinds = data.facility.tdbs.nodes
    .flatMap(({ uuid, irregularities }: { uuid: string; irregularities: string[] }) =>
      irregularities.map((kind) => `${uuid} ${kind}`),
    )
    .toSorted();
  const own = new Set(
    country.tdbs.filter(({ facilityUuid }) => facilityUuid === quiet[1]).map(({ tdbUuid }) => tdbUuid),
  );
  expect(kinds).toEqual(recountIrregularities(country).filter((one) => own.has(one.split(" ")[0]!)));
  expect(kinds.length).toBeGreaterThan(0);
});

test("counts of provinces, districts and partners are the same as a recount, also for a person without rights, by REST and GraphQL", async () => {
  const names = { province: "PROVINCE", district: "DISTRICT", ip: "IMPLEMENTING_PARTNER" } as const;
  for (const scope of scopes()) {
    for (const level of ["province", "district", "ip"] as const) {
      const complete = recountUnits(country, level, scope);
      expect({
        scope,
        level,
        rows: (await uploader.get(`/api/v1/dash/silentSites/${level}?${queryOf(scope)}`)).body,
      }).toEqual({ scope, level, rows: complete });
      // How many are irregular is only for people who may see TDBs.
      const expected = complete.map((row) => ({ ...row, irregular: null }));
      expect({
        scope,
        level,
        rows: (await plain.get(`/api/v1/dash/silentSites/${level}?${queryOf(scope)}`)).body,
      }).toEqual({ scope, level, rows: expected });
      const { data } = await plain.graphql(
        `{ silentSiteCounts(level: ${names[level]}${argsOf(scope)}) { hxId name facilities expected overdue neverSent irregular rhythmDays } }`,
      );
      expect(data.silentSiteCounts).toEqual(expected);
    }
  }
  // Partner -1 is all partners, as in the dashboards.
  const everyPartner = await plain.get("/api/v1/dash/silentSites/province?implementingPartnerId=-1");
  expect(everyPartner.body).toEqual((await plain.get("/api/v1/dash/silentSites/province")).body);
  const { data: sites } = await plain.graphql(
    "{ all: silentSites(implementingPartnerId: -1) { totalCount } same: silentSites { totalCount } }",
  );
  expect(sites.all).toEqual(sites.same);
  expect(recountUnits(country, "ip", {}).at(-1)).toMatchObject({ hxId: null, name: "No implementing partner" });
});

test("the CSV file has the rows of the list, and its export is recorded", async () => {
  const csv = await uploader.get("/api/v1/tdb/silent/csv?show=irregular");
  expect(csv.headers.get("content-disposition")).toBe('attachment; filename="silent-sites-irregular.csv"');
  const irregularSites = bodyOf<Site[]>(await uploader.get("/api/v1/tdb/silent?show=irregular"));
  const lines = parse(csv.text, { bom: true, columns: true }) as Record<string, string>[];
  expect(lines.map((line) => line["Facility UUID"])).toEqual(irregularSites.map(({ facilityUuid }) => facilityUuid));
  const { lastTdbCreationDate, lastTdbUploadDate, daysSinceLastTdb } = irregularSites[0]!;
  expect(lines[0]).toMatchObject({
    "Last data": lastTdbCreationDate,
    "Last TDB uploaded": lastTdbUploadDate,
    "Days without data": String(daysSinceLastTdb),
    "Expected every (days)": "30",
  });
  const audit = bodyOf<{ details: unknown }[]>(await admin.get("/api/v1/audit?action=tdb.silent.export"));
  expect(audit[0]!.details).toEqual({ show: "irregular", sort: "silence" });
});

test("the sending rhythm comes from the setting, and answers include it", async () => {
  await noteRecounts(gateway.db, { rhythmDays: 100 });
  await recountNoted(gateway.db);
  const server = await createServer({
    db: gateway.db,
    dataDir: gateway.dataDir,
    timeZone: "Africa/Lusaka",
    tdbRhythmDays: 100,
  });
  const ask = async <Body>(path: string) =>
    (await server.inject({ url: `/api/v1${path}`, headers: { cookie: cookiesOf(uploader) } })).json<Body>();
  const expected = recountSites(country, {}).filter(
    ({ expected: is, daysSinceLastTdb }) => is && (daysSinceLastTdb === null || daysSinceLastTdb > 100),
  );
  const listed = await ask<Site[]>("/tdb/silent");
  expect(listed).toEqual(bySilence(expected.map((site) => ({ ...site, rhythmDays: 100 }))));
  const counts = await ask<{ overdue: number; rhythmDays: number }[]>("/dash/silentSites/province");
  expect(counts.reduce((sum, { overdue }) => sum + overdue, 0)).toBe(expected.length);
  expect(counts.every(({ rhythmDays }) => rhythmDays === 100)).toBe(true);
  expect(expected.length).toBeLessThan(recountSites(country, {}).filter(sets["overdue"]!).length);
  await server.close();
  await noteRecounts(gateway.db, { rhythmDays: 30 });
  await recountNoted(gateway.db);
});

test("everybody sees who is overdue since when; irregularities and earlier days need the right to see TDBs", async () => {
  const hidden = { irregular: null, deltaWithoutBaseDate: null, creationBackDate: null, clientsBackDate: null };
  const complete = bodyOf<Site[]>(await uploader.get("/api/v1/tdb/silent?show=all"));
  expect(complete.some(({ irregular }) => irregular)).toBe(true);
  const one = `/tdb/silent/facility/${encodeURIComponent(quiet[1]!)}`;
  for (const login of ["plain", "viewer"]) {
    const person = await gateway.as(login);
    expect((await person.get("/api/v1/tdb/silent?show=all")).body).toEqual(
      complete.map((site) => ({ ...site, ...hidden })),
    );
    expect((await person.get(`/api/v1${one}`)).body).toEqual({
      ...bodyOf<Site>(await uploader.get(`/api/v1${one}`)),
      ...hidden,
    });
    const { text } = await person.get("/api/v1/tdb/silent/csv?show=all");
    const lines = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(lines.length).toBe(complete.length);
    for (const { words } of Object.values(irregularities))
      expect(lines.filter((line) => line[words] !== "")).toEqual([]);
    for (const path of ["/tdb/silent?show=irregular", "/tdb/silent/csv?show=irregular", "/tdb/silent?asOf=2026-01-01"])
      expect([login, path, (await person.get(`/api/v1${path}`)).status]).toEqual([login, path, 403]);
  }
  const query = `{ silentSites(show: IRREGULAR) { totalCount } facility(facilityUuid: "${quiet[1]}") { tdbSilence { overdue irregular clientsBackDate } }
    provinces(first: 1) { nodes { silentSites { totalCount } irregular: silentSites(show: IRREGULAR) { totalCount } } } }`;
  const { data, errors } = await plain.graphql(query);
  expect([data.silentSites, data.facility]).toEqual([
    null,
    { tdbSilence: { overdue: expect.any(Boolean), irregular: null, clientsBackDate: null } },
  ]);
  expect(data.provinces.nodes[0]).toEqual({ silentSites: { totalCount: expect.any(Number) }, irregular: null });
  expect(errors!.map(({ extensions }) => extensions.code)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
});

test("wrong values return 422 with their field, unknown places return 404", async () => {
  const wrong: [string, string][] = [
    ["show=late", "show"],
    ["sort=size", "sort"],
    ["provinceId=x", "provinceId"],
    ["limit=0", "limit"],
    ["days=3", "days"],
  ];
  for (const [params, path] of wrong) {
    const answer = await uploader.get(`/api/v1/tdb/silent?${params}`);
    expect([answer.status, errorsOf(answer).map((error) => error.path)], params).toEqual([422, [path]]);
  }
  expect((await uploader.get("/api/v1/tdb/silent?cursor=abc")).status).toBe(422);
  for (const path of [
    "/tdb/silent?districtId=99999",
    "/tdb/silent/csv?provinceId=99999",
    "/dash/silentSites/ip?implementingPartnerId=99999",
    "/tdb/silent/facility/nowhere",
  ])
    expect([path, (await uploader.get(`/api/v1${path}`)).status]).toEqual([path, 404]);
});

test("a received TDB ends the silence and is checked, and earlier TDBs are checked again", async () => {
  const facilityUuid = quiet[20]!;
  const site = async () =>
    bodyOf<Site>(await uploader.get(`/api/v1/tdb/silent/facility/${encodeURIComponent(facilityUuid)}`));
  expect(await site()).toMatchObject({ daysSinceLastTdb: null, lastTdbCreationDate: null, irregular: false });
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const send = async (createdAt: string, isDelta: boolean, totalPatients: number) => {
    const content = tdbxOf(facilityUuid, { createdAt, delta: isDelta, totalPatients });
    const { status, body } = await sendForm(
      gateway.url,
      "/api/v1/tdb",
      uploader,
      formOf([{ name: "a.tdbx", content }]),
    );
    expect(status).toBe(200);
    return (body as { uuid: string }[])[0]!.uuid;
  };
  const { today } = country;
  await send(ago(3), true, 100);
  expect(await site()).toMatchObject({
    daysSinceLastTdb: 3,
    expected: true,
    overdue: false,
    irregular: true,
    deltaWithoutBaseDate: today,
  });
  await send(ago(40), false, 120);
  expect(await site()).toMatchObject({
    daysSinceLastTdb: 3,
    deltaWithoutBaseDate: null,
    creationBackDate: today,
    clientsBackDate: today,
  });
  // Two at the same time at one facility wait for each other, and the later one checks both.
  await Promise.all([send(ago(2), true, 130), send(ago(1), true, 125)]);
  const now = await readCountry(gateway.db);
  expect(await irregular(gateway.db)).toEqual(recountIrregularities(now));
  expect(await site()).toEqual(recountSites(now, {}).find((one) => one.facilityUuid === facilityUuid));
});
