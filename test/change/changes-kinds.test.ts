import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { bodyOf, type Person, type TestGateway, testGateway } from "../support/gateway.ts";
import {
  changedBy,
  changeRollout,
  createRollout,
  listRollouts,
  listTargets,
  removeTarget,
  setTarget,
} from "../support/mutations.ts";
import { cursorNow, settled } from "../support/settled.ts";

/**
 * The feed of places, partners, people, downloads, targets, releases and rollouts: for callers who request these kinds
 * and may read them.
 */

let gateway: TestGateway;
let admin: Person;
type Change = {
  kind: string;
  key: string;
  action: string;
  changedAt?: string;
  record: Record<string, unknown> | null;
};
type Changes = { kinds: string[]; changes: Change[]; cursor: string; hasMore: boolean };

beforeAll(async () => {
  gateway = await testGateway();
  admin = await gateway.as("admin");
  for (const place of [{}, { provinceId: 1 }])
    await changedBy(setTarget(admin, { measure: "functional", year: 2027, percent: 80, ...place }));
  // Numbers the feed of this copy. Otherwise the first caller would get nothing while another test has a transaction
  // open.
  await cursorNow(gateway.db, admin);
});
afterAll(() => gateway.stop());

const others = "province,district,implementingPartner,user,download,target,release,rollout";
async function follow(query: string, person = admin): Promise<Changes> {
  const collected: Change[] = [];
  let since = "";
  await settled(gateway.db);
  for (;;) {
    const { body, status, text } = await person.get(`/api/v1/changes?limit=1000&${query}${since && `&since=${since}`}`);
    if (status !== 200) throw new Error(text);
    const answer = body as Changes;
    collected.push(...answer.changes);
    if (!answer.hasMore) return { ...answer, changes: collected };
    since = answer.cursor;
  }
}
const count = async (from: string) =>
  (await gateway.sql<{ count: number }>`select count(*)::int as count from ${sql.raw(from)}`)[0]!.count;
const of = ({ changes }: Changes, kind: string) => changes.filter((change) => change.kind === kind);

test("existing records are reported in the shape of their own REST calls and lists, if their kinds are requested", async () => {
  const feed = await follow(`kinds=${others}`);
  const tables = {
    province: "province",
    district: "district",
    implementingPartner: "implementing_partner",
    user: "app_user where kind = 'person'",
    download: "download where withdrawn_at is null",
    target: "target",
    release: "download where withdrawn_at is null",
    rollout: "rollout",
  };
  for (const [kind, from] of Object.entries(tables)) {
    expect([kind, of(feed, kind).length]).toEqual([kind, await count(from)]);
    expect(of(feed, kind).every(({ action, record }) => action === "created" && record !== null)).toBe(true);
  }
  const same = async (kind: string, path: (key: string) => string) => {
    const [{ key, record } = { key: "", record: null }] = of(feed, kind);
    expect([kind, record]).toEqual([kind, expect.objectContaining((await admin.get(path(key))).body)]);
  };
  await same("province", (key) => `/api/v1/province/${key}`);
  await same("district", (key) => `/api/v1/district/${key}`);
  await same("implementingPartner", (key) => `/api/v1/implementingPartner/${key}`);
  await same("user", (key) => `/api/v1/user/${key}`);
  await same("release", (key) => `/api/v1/download/${key}/release`);
  expect(await listRollouts(admin)).toContainEqual(of(feed, "rollout")[0]!.record);
  const [download] = of(feed, "download");
  expect((await admin.get("/api/v1/download")).body).toContainEqual(download!.record);
  const [target] = of(feed, "target");
  expect(await listTargets(admin)).toContainEqual(target!.record);
  // Without `kinds` the feed reports the kinds that it always reported.
  expect((await follow("")).kinds).toEqual([
    "facility",
    "facilitySettings",
    "facilityConnectivity",
    "assessment",
    "tdb",
  ]);
});

test("each change is reported once, without secrets", async () => {
  const { cursor } = await follow(`kinds=${others}`);
  await gateway.sql`update district set name = name || ' (new)' where district_id = (select min(district_id) from district)`;
  await gateway.sql`update implementing_partner set active = not active where implementing_partner_id = (select max(implementing_partner_id) from implementing_partner)`;
  await gateway.sql`update app_user set surname = 'Banda' where user_name = 'plain'`;
  await gateway.sql`update app_user set last_login_at = now(), password_hash = password_hash || 'x' where user_name = 'viewer'`;
  await gateway.sql`update download set withdrawn_at = now() where download_uuid = (select min(download_uuid::text)::uuid from download where withdrawn_at is null)`;
  await gateway.sql`insert into province (name) values ('Another')`;
  const set = await changedBy(setTarget(admin, { measure: "functional", year: 2027, percent: 85 }));
  const feed = await follow(`since=${cursor}`);
  expect(feed.changes.map(({ kind, action }) => `${action} ${kind}`)).toEqual([
    "changed district",
    "changed implementingPartner",
    "changed user",
    "withdrawn download",
    "withdrawn release",
    "created province",
    "changed target",
  ]);
  expect(
    feed.changes.map(
      ({ record }) => record && (record["name"] ?? record["surname"] ?? record["active"] ?? record["percent"]),
    ),
  ).toEqual([expect.stringMatching(/ \(new\)$/), expect.any(Boolean), "Banda", null, null, "Another", 85]);
  expect(feed.changes.at(-1)!.record).toEqual(set);
  expect(JSON.stringify(feed)).not.toContain("argon2");
  expect((await follow(`since=${feed.cursor}`)).changes).toEqual([]);
});

test("a target is reported again when its unit is renamed, and as withdrawn when it or its unit is removed", async () => {
  const { cursor, changes } = await follow("kinds=target");
  const [, ofProvince] = changes.toSorted(
    (one, other) => Number(one.record!["provinceId"]) - Number(other.record!["provinceId"]),
  );
  await gateway.sql`update province set name = name || ' (renamed)' where province_id = 1`;
  const renamed = await follow(`since=${cursor}`);
  expect(renamed.changes).toMatchObject([
    {
      kind: "target",
      key: ofProvince!.key,
      action: "changed",
      record: { unit: expect.stringMatching(/ \(renamed\)$/) },
    },
  ]);
  await changedBy(removeTarget(admin, ofProvince!.key));
  const removed = await follow(`since=${renamed.cursor}`);
  expect(removed.changes).toMatchObject([{ key: ofProvince!.key, action: "withdrawn", record: null }]);

  const { id: provinceId } = bodyOf<{ id: number }>(
    await admin.call("POST", "/api/v1/registry/place/province", { name: "Unused" }),
  );
  const target = await changedBy(setTarget(admin, { measure: "functional", year: 2027, percent: 80, provinceId }));
  const created = await follow(`since=${removed.cursor}`);
  expect(created.changes).toMatchObject([{ key: target.uuid, action: "created", record: { unit: "Unused" } }]);
  // Closing a unit does not change its target.
  const { today } = bodyOf<{ today: string }>(await admin.get("/api/v1/system"));
  expect(
    (await admin.call("POST", `/api/v1/registry/place/province/${provinceId}/close`, { closedOn: today })).status,
  ).toBe(200);
  const closed = await follow(`since=${created.cursor}`);
  expect(closed.changes).toEqual([]);
  expect((await admin.call("DELETE", `/api/v1/registry/place/province/${provinceId}`)).status).toBe(200);
  expect((await follow(`since=${closed.cursor}`)).changes).toMatchObject([
    { kind: "target", key: target.uuid, action: "withdrawn", record: null },
  ]);
});

test("the feed reports each step of a rollout, the number of its facilities, and the release of a file", async () => {
  const { cursor, changes } = await follow("kinds=release,rollout");
  const [file] = of({ changes } as Changes, "release");
  const release = {
    version: "9.9",
    installs: ["library"],
    appliesFrom: null,
    appliesTo: null,
    channel: "pilot",
    requiredSince: null,
  };
  expect((await admin.call("PUT", `/api/v1/download/${file!.key}/release`, release)).status).toBe(200);
  const rows = await gateway.sql<{ uuid: string; day: string }>`
    select facility_uuid as uuid, current_date::text as day from facility where closed_on is null order by 1 limit 2`;
  const named = rows.map(({ uuid }) => uuid);
  const made = await changedBy(
    createRollout(admin, {
      version: "9.9",
      channel: "pilot",
      startDay: rows[0]!.day,
      facilityUuids: named,
      leaveBehind: true,
    }),
  );
  const { uuid } = made;
  let last = await follow(`since=${cursor}`);
  expect(last.changes).toEqual([
    expect.objectContaining({
      kind: "release",
      key: file!.key,
      action: "changed",
      record: (await admin.get(`/api/v1/download/${file!.key}/release`)).body,
    }),
    expect.objectContaining({ kind: "rollout", key: uuid, action: "created", record: made }),
  ]);
  for (const change of [{ state: "paused" }, { state: "running" }, { percentage: 50 }]) {
    const changed = await changedBy(changeRollout(admin, uuid, change));
    last = await follow(`since=${last.cursor}`);
    expect(last.changes.map(({ changedAt: _at, ...reported }) => reported)).toEqual([
      { kind: "rollout", key: uuid, action: "changed", record: changed },
    ]);
  }
  // One of its facilities is merged into another: the rollout then has one less.
  expect((await admin.call("POST", `/api/v1/facility/${named[0]}/merge`, { into: named[1] })).status).toBe(200);
  expect((await follow(`since=${last.cursor}`)).changes).toMatchObject([
    { kind: "rollout", key: uuid, record: { facilities: 1 } },
  ]);
});

test("people are reported only to those who manage them; downloads, releases and rollouts only to those who may see them; others get 403", async () => {
  const [plain, uploader, assessor] = await Promise.all([
    gateway.as("plain"),
    gateway.as("uploader"),
    gateway.as("assessor"),
  ]);
  const ofAdmin = await follow("kinds=download,release,rollout");
  for (const kind of ["download", "release", "rollout"]) {
    const reported = (await follow(`kinds=${kind}`, uploader)).changes.map(({ key, action }) => [key, action]);
    expect([kind, reported]).toEqual([kind, of(ofAdmin, kind).map(({ key, action }) => [key, action])]);
    expect([kind, reported.length > 0]).toEqual([kind, true]);
  }
  // The assessor may see the fleet, but not the files.
  for (const [kind, status] of [
    ["download", 403],
    ["release", 403],
    ["rollout", 200],
  ] as const)
    expect([kind, (await assessor.get(`/api/v1/changes?kinds=${kind}`)).status]).toEqual([kind, status]);
  expect((await follow("kinds=province,district,implementingPartner", plain)).changes.length).toBeGreaterThan(100);
  for (const kind of ["user", "download", "release", "rollout"])
    expect([kind, (await plain.get(`/api/v1/changes?kinds=${kind}`)).status]).toEqual([kind, 403]);
  const manager = await gateway.as("manager");
  const { cursor, changes } = await follow("kinds=user", manager);
  const partner = bodyOf<{ implementingPartnerId: number }>(await manager.get("/api/v1/user/me"));
  expect(new Set(changes.map(({ record }) => record!["implementingPartnerId"]))).toEqual(
    new Set([partner.implementingPartnerId]),
  );
  // Of other partners' people not even keys and times are told, whatever happens to them.
  const patch = async (userName: string, change: object) => {
    const rows = await gateway.sql<{ uuid: string }>`
      select user_uuid as uuid from app_user where user_name = ${userName}`;
    const answer = await admin.call("PATCH", "/api/v1/user", { uuid: rows[0]!.uuid, ...change });
    expect(answer.status, answer.text).toBe(200);
    return rows[0]!.uuid;
  };
  const other = (
    await gateway.sql<{ id: number }>`
      select implementing_partner_id as id from implementing_partner where active and implementing_partner_id <> ${partner.implementingPartnerId} limit 1`
  )[0]!.id;
  await patch("plain", { bio: "Somewhere else" });
  const uuid = await patch("viewer", { implementingPartnerId: other });
  const [left, ...more] = (await follow(`since=${cursor}`, manager)).changes;
  expect([left, more]).toMatchObject([{ kind: "user", key: uuid, action: "withdrawn", record: null }, []]);
  // What happens to who has left is not told either.
  await patch("viewer", { bio: "Somewhere else too" });
  const [again] = (await follow(`since=${cursor}`, manager)).changes;
  const now = (await follow("kinds=user")).changes.find(({ key }) => key === uuid);
  expect(again!.changedAt! < now!.changedAt!).toBe(true);
  const elsewhere = await gateway.sql<{ uuid: string }>`
    select user_uuid as uuid from app_user where implementing_partner_id <> ${partner.implementingPartnerId} and user_uuid <> ${uuid}`;
  const told = new Set((await follow("kinds=user", manager)).changes.map(({ key }) => key));
  expect(elsewhere.filter((each) => told.has(each.uuid) && each.uuid !== uuid)).toEqual([]);
});
