import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { privilegeNames } from "../../gateway/access/access.rules.ts";
import { isEmpty, loadDemo } from "../../gateway/demo/demo.ts";
import { users } from "../../gateway/demo/demo.people.ts";
import { provinces } from "../../gateway/demo/demo.places.ts";
import { outlineOf } from "../../gateway/reference/boundary.rules.ts";
import { testDatabase } from "../support/database.ts";
import { inZone } from "../support/zone.ts";

/** The demonstration country, as contract.md describes it. */

const hashPassword = async (password: string) => `hash of ${password}`;
type Country = Awaited<ReturnType<typeof loadCountry>>;

async function loadCountry(today: string) {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "demo-test-"));
  const before = await isEmpty(database.db);
  await loadDemo(database.db, { today, dataDir, hashPassword });
  const end = async () => {
    await database.drop();
    await rm(dataDir, { recursive: true });
  };
  return { db: database.db, dataDir, before, end };
}

const ask = async <Row>({ db }: Country, query: string): Promise<Row[]> => (await sql.raw<Row>(query).execute(db)).rows;
const count = async (country: Country, query: string): Promise<number> =>
  (await ask<{ n: number }>(country, `select count(*)::integer as n from ${query}`))[0]!.n;

const tables = [
  ...["province", "district", "implementing_partner", "service_area", "smartcare_version", "connectivity_type"],
  ...["connectivity_provider", "setting", "app_user", "facility", "facility_service_area", "assessment"],
  ...[
    "service_area_assessment",
    "assessment_rollup",
    "tdb",
    "tdb_computer",
    "tdb_rollup",
    "download",
    "facility_identifier",
    "facility_merge",
    "rollout",
    "update_report",
  ],
];
async function checksums(country: Country): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const table of tables) {
    const [row] = await ask<{ sum: string }>(
      country,
      `select count(*) || ' ' || md5(string_agg(line, e'\\n' order by line)) as sum from (select t::text as line from ${table} t) lines`,
    );
    sums[table] = row!.sum;
  }
  return sums;
}

const today = "2026-11-21";
let country: Country;
/** The same country, loaded again for the same day on a server in another time zone. */
let again: Country;
beforeAll(async () => {
  country = await inZone("Africa/Lusaka", () => loadCountry(today));
  again = await inZone("UTC", () => loadCountry(today));
});
afterAll(() => Promise.all([country.end(), again.end()]));

test("the demonstration is loaded into an empty database, and a setting marks it as a demonstration", async () => {
  expect(country.before).toBe(true);
  expect(await isEmpty(country.db)).toBe(false);
  expect(await ask(country, "select value from setting where name = 'demonstration'")).toEqual([{ value: "1" }]);
});

test("the data is the same on every start, in any time zone of the server", async () => {
  expect(await checksums(again)).toEqual(await checksums(country));
});

test.each([
  ["admin", ["administrator"], "Ministry of Health"],
  ["viewer", ["viewAssessments", "editSelf"], "Partner A"],
  ["assessor", ["editAssessments", "viewAssessments", "editSelf"], "Partner A"],
  ["uploader", ["uploadTdbs", "accessDownloads", "editSelf"], "Partner A"],
  ["manager", ["manageUsers", "editSelf"], "Partner A"],
  ["plain", [], "Partner B"],
  ["newcomer", ["viewAssessments"], "Partner B"],
])("the account %s has the contract's privileges and partner", async (userName, privileges, partner) => {
  const user = await country.db
    .selectFrom("appUser")
    .innerJoin("implementingPartner", "implementingPartner.implementingPartnerId", "appUser.implementingPartnerId")
    .selectAll("appUser")
    .select("implementingPartner.name as partner")
    .where("userName", "=", userName)
    .executeTakeFirstOrThrow();
  expect(privilegeNames.filter((name) => user[name])).toEqual(privileges);
  const isNew = userName === "newcomer";
  expect(user).toMatchObject({
    partner,
    active: true,
    primaryEmail: `${userName}@demo.example`,
    passwordTemporary: isNew,
    passwordHash: `hash of ${isNew ? "temporary-1" : "demo-password"}`,
  });
});

test("there are no other accounts", async () => {
  expect(await count(country, "app_user where kind = 'person'")).toBe(7);
  expect(users.every(({ firstName, surname }) => firstName.length >= 3 && surname.length >= 3)).toBe(true);
});

test("there are machine accounts, and their secrets are random at each load", async () => {
  expect(await ask(country, "select user_name as name from app_user where kind = 'service'")).toEqual([
    { name: "hmis-sync" },
  ]);
  const states = await ask<{ state: string; n: number }>(
    country,
    `
    select case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' when last_used_at is null then 'unused' else 'working' end as state, count(*)::int as n
    from access_token join site_account using (user_uuid) group by 1 order by 1`,
  );
  expect(states.map(({ state }) => state)).toEqual(expect.arrayContaining(["revoked", "unused", "working"]));
  const hashes = await ask<{ tokenHash: string }>(country, "select token_hash from access_token");
  // Random at each load: no text in the product leads to one of them.
  const others = new Set(
    (await ask<{ tokenHash: string }>(again, "select token_hash from access_token")).map(({ tokenHash }) => tokenHash),
  );
  expect(hashes).toHaveLength(6);
  expect(hashes.filter(({ tokenHash }) => others.has(tokenHash))).toEqual([]);
});

test("there are 10 provinces, 116 districts and at least five facilities in each district", async () => {
  expect(provinces.map(({ name }) => name)).toEqual([
    ...[
      "Central",
      "Copperbelt",
      "Eastern",
      "Luapula",
      "Lusaka",
      "Muchinga",
      "North Western",
      "Northern",
      "Southern",
      "Western",
    ],
  ]);
  expect(await count(country, "province")).toBe(10);
  expect(await count(country, "district")).toBe(116);
  expect(await count(country, "facility where closed_on is null")).toBe(580);
  expect(
    await count(country, "district d where (select count(*) from facility f where f.district_id = d.district_id) < 5"),
  ).toBe(0);
});

test("each facility with a position lies within the outline of its district", async () => {
  const districts = await country.db
    .selectFrom("boundary")
    .where("districtId", "is not", null)
    .select(["districtId", "path"])
    .execute();
  const strays = await Promise.all(
    districts.map(({ districtId, path }) => {
      const inside = outlineOf(path).coordinates.map(
        ([ring]) =>
          `polygon '${ring!.map((corner) => `(${corner.join(",")})`).join(",")}' @> point(facility.longitude, facility.latitude)`,
      );
      return ask<{ facilityName: string }>(
        country,
        `select facility_name from facility where district_id = ${districtId} and latitude is not null and not (${inside.join(" or ")})`,
      );
    }),
  );
  expect(districts).toHaveLength(116);
  expect(strays.flat()).toEqual([]);
});

test.each([
  ["facilities with a code", "facility where hmis_code is not null", 300],
  ["facilities without a code", "facility where hmis_code is null", 50],
  ["facilities with an old code", "facility where old_hmis_code is not null", 50],
  ["facilities without a location", "facility where latitude is null", 30],
  ["facilities without a partner", "facility where implementing_partner_id is null", 10],
  ["facility identifiers that are not UUIDs", "facility where facility_uuid !~ '^[0-9a-f-]{36}$'", 50],
  ["short facility identifiers", "facility where length(facility_uuid) = 11", 1],
  ["names with an apostrophe", "facility where facility_name like '%''%'", 2],
  ["names with brackets", "facility where facility_name like '%(%'", 1],
  ["names with accents", "facility where facility_name ~ '[éãüç]'", 3],
  ["a name twice in a district", "(select from facility group by district_id, facility_name having count(*) > 1) t", 1],
  ["service areas", "service_area", 8],
  ["facilities' service areas", "facility_service_area", 1000],
  ["versions", "smartcare_version", 8],
  ["types of connectivity", "connectivity_type", 3],
  ["providers", "connectivity_provider", 3],
  ["connected facilities", "facility where connectivity_present and connectivity_type_id is not null", 100],
  ["facilities with mobile coverage", "facility where mobile_coverage and mobile_provider_id is not null", 100],
  ["inactive partners", "implementing_partner where not active", 1],
  ["facilities never assessed", "facility where functionality_status_mode is null", 20],
  ["assessments", "assessment", 1000],
  ["assessments of the assessor", "assessment join app_user using (user_uuid) where user_name = 'assessor'", 500],
  ["service areas' assessments", "service_area_assessment", 2000],
  [
    "two visits in one month",
    "(select from assessment group by facility_uuid, date_trunc('month', assessed_at) having count(*) > 1) t",
    10,
  ],
  ["TDBs", "tdb", 200],
  ["full TDBs", "tdb where not delta", 50],
  ["delta TDBs", "tdb where delta", 50],
  ...["Partner A", "Partner B"].map((name): [string, string, number] => [
    `TDBs of ${name}`,
    `tdb join facility using (facility_uuid) join implementing_partner p using (implementing_partner_id) where p.name = '${name}'`,
    20,
  ]),
  ["TDBs from the uploader", "tdb join app_user using (user_uuid) where user_name = 'uploader'", 50],
  ["TDBs from the admin", "tdb join app_user using (user_uuid) where user_name = 'admin'", 20],
  ...["1", "2", "4", "8"].map((cores): [string, string, number] => [
    `computers of ${cores} cores`,
    `tdb_computer where cpu_cores = ${cores}`,
    10,
  ]),
  ["computers of 32 bit", "tdb_computer where not os64_bit", 10],
  ["assessments rolled up", "assessment_rollup", 1000],
  ["TDBs rolled up", "tdb_rollup", 200],
  ...["hmis", "formerHmis", "dhis2", "smartcare", "ihris", "elmis"].map((system): [string, string, number] => [
    `identifiers of ${system}`,
    `facility_identifier where system = '${system}'`,
    80,
  ]),
  ["closed sites", "facility where closed_on < '2024-01-01' and close_reason is not null", 3],
  ["merges that can be undone", "facility_merge where merged_at > '2026-11-21'::date - 30", 1],
  ["merges that can no longer be undone", "facility_merge where merged_at < '2026-11-21'::date - 31", 1],
  ["versions to download", "(select from download where version is not null group by version) t", 3],
  ["updates that were applied", "update_report where outcome = 'applied'", 10],
  ["updates that failed", "update_report where outcome = 'failed' and why is not null", 5],
  ...["INSTALLER", "UPGRADER", "PATCH", "OTHER"].map((type): [string, string, number] => [
    `downloads of type ${type}`,
    `download where file_type = '${type}'`,
    1,
  ]),
])("the demonstration has %s", async (_what, query, least) => {
  expect(await count(country, query)).toBeGreaterThanOrEqual(least);
});

test("every mode is the present one of some facility", async () => {
  expect(
    await count(
      country,
      "(select from facility where functionality_status_mode is not null group by functionality_status_mode) t",
    ),
  ).toBe(6);
});

test("adoption improves: more facilities are E-First in each quarter of the finished year than before, and a greater share in each quarter up to the present", async () => {
  const rows = await ask<{ adopted: number; visited: number }>(
    country,
    `select count(*) filter (where functionality_status_mode = 'EFirst')::integer as adopted, count(*)::integer as visited
     from assessment_rollup where period = 'quarter' group by period_start order by period_start`,
  );
  expect(rows).toHaveLength(5);
  // The present quarter is not over, so its count is not compared.
  const counts = rows.slice(0, 4).map(({ adopted }) => adopted);
  const shares = rows.map(({ adopted, visited }) => adopted / visited);
  for (const numbers of [counts, shares]) expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

test("no assessment or TDB is in the future, and none was received before the two fiscal years", async () => {
  expect(await count(country, "assessment where assessed_at >= '2026-11-22' or assessed_at < '2025-10-01'")).toBe(0);
  expect(
    await count(
      country,
      "tdb where uploaded_at >= '2026-11-22' or uploaded_at < '2025-10-01' or tdb_created_at > uploaded_at",
    ),
  ).toBe(0);
  // The one that was sent late was made some days before.
  expect(await count(country, "tdb where tdb_created_at < '2025-10-01' and tdb_created_at >= '2025-09-25'")).toBe(1);
  expect(await count(country, "tdb where tdb_created_at < '2025-09-25'")).toBe(0);
});

test("each stored file exists with its size and hash, and there are no other files", async () => {
  const rows = await ask<{ key: string; size: number; hash: string }>(
    country,
    "select storage_key as key, file_size as size, sha256 as hash from tdb union all select storage_key, file_size, sha256 from download",
  );
  for (const { key, size, hash } of rows) {
    const content = await readFile(join(country.dataDir, key));
    expect(content.length).toBe(size);
    expect(createHash("sha256").update(content).digest("hex")).toBe(hash);
  }
  const files = await readdir(join(country.dataDir, "files"), { recursive: true, withFileTypes: true });
  expect(files.filter((entry) => entry.isFile())).toHaveLength(rows.length);
});

test("a TDB's manifest has the values of its row", async () => {
  const rows = await ask<Record<string, unknown>>(
    country,
    "select tdb.*, hmis_code from tdb join facility using (facility_uuid) order by reference limit 20",
  );
  for (const row of rows) {
    const content = await readFile(join(country.dataDir, String(row.storageKey)));
    const [size, nameLength] = [content.readUInt32LE(18), content.readUInt16LE(26)];
    expect(content.toString("latin1", 30, 30 + nameLength)).toBe("manifest.json");
    const manifest = JSON.parse(content.toString("utf8", 30 + nameLength, 30 + nameLength + size));
    expect(manifest).toMatchObject({
      format: "tdbx/1",
      facility: { uuid: row.facilityUuid, ...(row.hmisCode ? { hmisCode: row.hmisCode } : {}) },
      delta: row.delta,
      totalPatients: row.totalPatients,
      libraryVersion: row.libraryVersion,
    });
    expect(new Date(manifest.createdAt)).toEqual(row.tdbCreatedAt);
  }
});

describe.each(["2026-11-21", "2026-10-01", "2028-02-29"])("on %s", (day) => {
  let there: Country;
  beforeAll(async () => void (there = day === today ? country : await loadCountry(day)));
  afterAll(async () => {
    if (there !== country) await there.end();
  });

  test.each([
    ["assessments of the last week", "assessment where assessed_at::date > $day - 7", 5],
    ["assessments of the last month", "assessment where assessed_at::date > $day - 28", 20],
    ["assessments of the last three months", "assessment where assessed_at::date > $day - 90", 100],
    ["assessments of this month", "assessment where assessed_at::date >= date_trunc('month', $day)", 3],
    ["TDBs of this month", "tdb where uploaded_at::date >= date_trunc('month', $day)", 10],
    [
      "assessments of last fiscal year",
      "assessment where assessed_at::date < date_trunc('year', $day + interval '3 months') - interval '3 months'",
      500,
    ],
    ["rolled up computers of this year", "tdb_rollup where period = 'year' and period_start > $day - 366", 10],
  ])("there are %s", async (_what, query, least) => {
    expect(await count(there, query.replaceAll("$day", `'${day}'::date`))).toBeGreaterThanOrEqual(least);
  });

  test("no record is later than the day", async () => {
    expect(await count(there, `assessment where assessed_at::date > '${day}'`)).toBe(0);
    expect(await count(there, `tdb where uploaded_at::date > '${day}'`)).toBe(0);
    expect(await count(there, `download where uploaded_at::date > '${day}'`)).toBe(0);
    expect(await count(there, `update_report where reported_at::date > '${day}'`)).toBe(0);
    expect(
      await count(
        there,
        `update_report r join facility f using (facility_uuid) join rollout using (rollout_uuid) where not f.province_id = any(province_ids)`,
      ),
    ).toBe(0);
  });
});
