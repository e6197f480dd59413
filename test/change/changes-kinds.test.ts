import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Person, type TestGateway, testGateway } from "../support/gateway.ts";
import { settled } from "../support/settled.ts";

/** The feed of places, partners, people and downloads: told to who asks for them and may read them. */

let gateway: TestGateway;
let admin: Person;
type Change = { kind: string; key: string; action: string; record: Record<string, unknown> | null };
type Changes = { kinds: string[]; changes: Change[]; cursor: string; hasMore: boolean };

beforeAll(async () => {
  gateway = await testGateway();
  admin = await gateway.as("admin");
});
afterAll(() => gateway.stop());

const others = "province,district,implementingPartner,user,download";
async function follow(query: string, person = admin): Promise<Changes> {
  const told: Change[] = [];
  let since = "";
  await settled(gateway.db);
  for (;;) {
    const { body, status, text } = await person.get(`/api/v1/changes?limit=1000&${query}${since && `&since=${since}`}`);
    if (status !== 200) throw new Error(text);
    const answer = body as Changes;
    told.push(...answer.changes);
    if (!answer.hasMore) return { ...answer, changes: told };
    since = answer.cursor;
  }
}
const count = async (from: string) => (await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(from)}`.execute(gateway.db)).rows[0]!.count;
const of = ({ changes }: Changes, kind: string) => changes.filter((change) => change.kind === kind);

test("what is there is told in the shape of its own call, to who asks for it", async () => {
  const told = await follow(`kinds=${others}`);
  const tables = { province: "province", district: "district", implementingPartner: "implementing_partner", user: "app_user where kind = 'person'", download: "download where withdrawn_at is null" };
  for (const [kind, from] of Object.entries(tables)) {
    expect([kind, of(told, kind).length]).toEqual([kind, await count(from)]);
    expect(of(told, kind).every(({ action, record }) => action === "created" && record !== null)).toBe(true);
  }
  const same = async (kind: string, path: (key: string) => string) => {
    const [{ key, record } = { key: "", record: null }] = of(told, kind);
    expect([kind, record]).toEqual([kind, expect.objectContaining((await admin.get(path(key))).body)]);
  };
  await same("province", (key) => `/api/v1/province/${key}`);
  await same("district", (key) => `/api/v1/district/${key}`);
  await same("implementingPartner", (key) => `/api/v1/implementingPartner/${key}`);
  await same("user", (key) => `/api/v1/user/${key}`);
  const [download] = of(told, "download");
  expect((await admin.get("/api/v1/download")).body).toContainEqual(download!.record);
  // Whoever asks for nothing is told what was always told.
  expect((await follow("")).kinds).toEqual(["facility", "facilitySettings", "facilityConnectivity", "assessment", "tdb"]);
});

test("each change is told once, what is secret is not", async () => {
  const { cursor } = await follow(`kinds=${others}`);
  await sql`update district set name = name || ' (new)' where district_id = (select min(district_id) from district)`.execute(gateway.db);
  await sql`update implementing_partner set active = not active where implementing_partner_id = (select max(implementing_partner_id) from implementing_partner)`.execute(gateway.db);
  await sql`update app_user set surname = 'Banda' where user_name = 'plain'`.execute(gateway.db);
  await sql`update app_user set last_login_at = now(), password_hash = password_hash || 'x' where user_name = 'viewer'`.execute(gateway.db);
  await sql`update download set withdrawn_at = now() where download_uuid = (select min(download_uuid::text)::uuid from download where withdrawn_at is null)`.execute(gateway.db);
  await sql`insert into province (name) values ('Another')`.execute(gateway.db);
  const told = await follow(`since=${cursor}`);
  expect(told.changes.map(({ kind, action }) => `${action} ${kind}`)).toEqual(["changed district", "changed implementingPartner", "changed user", "withdrawn download", "created province"]);
  expect(told.changes.map(({ record }) => record && (record["name"] ?? record["surname"] ?? record["active"]))).toEqual([expect.stringMatching(/ \(new\)$/), expect.any(Boolean), "Banda", null, "Another"]);
  expect(JSON.stringify(told)).not.toContain("argon2");
  expect((await follow(`since=${told.cursor}`)).changes).toEqual([]);
});

test("people are told to who manages them, downloads to who may have them", async () => {
  const plain = await gateway.as("plain");
  expect((await follow("kinds=province,district,implementingPartner", plain)).changes.length).toBeGreaterThan(100);
  for (const kind of ["user", "download"]) expect([kind, (await plain.get(`/api/v1/changes?kinds=${kind}`)).status]).toEqual([kind, 403]);
  const manager = await gateway.as("manager");
  const { cursor, changes } = await follow("kinds=user", manager);
  const partner = (await manager.get("/api/v1/user/me")).body as { implementingPartnerId: number };
  expect(new Set(changes.map(({ record }) => record!["implementingPartnerId"]))).toEqual(new Set([partner.implementingPartnerId]));
  await sql`update app_user set implementing_partner_id = (select implementing_partner_id from implementing_partner where implementing_partner_id <> ${partner.implementingPartnerId} limit 1)
    where user_name = 'viewer'`.execute(gateway.db);
  expect((await follow(`since=${cursor}`, manager)).changes).toMatchObject([{ kind: "user", action: "withdrawn", record: null }]);
});

test("GraphQL tells the same", async () => {
  const told = await follow(`kinds=${others}`);
  const { data } = await admin.graphql(`{ changes(limit: 100, kinds: [PROVINCE, DISTRICT, IMPLEMENTING_PARTNER, USER, DOWNLOAD]) { changes { kind key action node { type: __typename
    ... on Province { provinceName: name } ... on District { districtName: name } ... on ImplementingPartner { implementingPartner } ... on User { surname } ... on Download { fileType } } } } }`);
  const rows = data.changes.changes as { kind: string; key: string; node: { type: string } | null }[];
  expect(rows.map(({ key }) => key)).toEqual(told.changes.slice(0, rows.length).map(({ key }) => key));
  const types: Record<string, string> = { PROVINCE: "Province", DISTRICT: "District", IMPLEMENTING_PARTNER: "ImplementingPartner", USER: "User", DOWNLOAD: "Download" };
  for (const { kind, node } of rows) if (node) expect(node.type).toBe(types[kind]);
});
