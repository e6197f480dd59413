import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { takeBackup } from "../../gateway/backup/backup.ts";
import { folderPlace } from "../../gateway/backup/folderPlace.ts";
import { updateOldTdbs } from "../../db/system/retention.ts";
import { applyRetention } from "../../gateway/retention/retention.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { sweepFiles } from "../../gateway/storage/sweep.ts";
import { bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cursorNow, settled } from "../support/settled.ts";
import { tdbxOf, tusOf } from "../support/tdbx.ts";

/** What the retention rules remove, what they leave, and what a legal hold protects. */

const gateway = await gatewayOfFile();
const files = await openFiles(gateway.dataDir);

type Sent = { tdbUuid: string; facilityUuid: string; key: string; day: number; order: string; delta: boolean };
const listSent = () =>
  gateway.db
    .selectFrom("tdb")
    .select([
      "tdbUuid",
      "facilityUuid",
      "storageKey as key",
      "delta",
      sql<number>`extract(epoch from now() - uploaded_at) / 86400`.as("day"),
      sql<string>`to_char(tdb_created_at, 'YYYYMMDDHH24MISSUS') || to_char(uploaded_at, 'YYYYMMDDHH24MISSUS') || tdb_uuid`.as(
        "order",
      ),
    ])
    .execute();
/** Computed one by one: older than this many days, and followed by a full TDB (no delta) of the same facility. */
const dueOf = (sent: Sent[], days: number) =>
  sent.filter(
    (each) =>
      each.day > days &&
      sent.some((other) => other.facilityUuid === each.facilityUuid && !other.delta && other.order > each.order),
  );

/** Runs the command as an operator does, on the test's database and folder. */
const retention = (args: string[], settings: Record<string, string> = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, DATABASE_URL: gateway.database.url, DATA_DIR: gateway.dataDir, ...settings };
    execFile(process.execPath, ["gateway/start.mjs", "retention", ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

const days = 120;

test("without a rule nothing is due and nothing is removed", async () => {
  const before = await readdir(join(gateway.dataDir, "files/tdb"));
  expect(await applyRetention({ db: gateway.db, files }, {})).toEqual({
    tdbs: 0,
    receipts: 0,
    downloads: 0,
    bytes: 0,
    auditEvents: 0,
  });
  expect((await retention(["--apply"])).output).toContain("nothing is ever removed");
  expect(await readdir(join(gateway.dataDir, "files/tdb"))).toEqual(before);
});

test("wrong arguments and settings are refused with a message or exit code 2, and change nothing", async () => {
  const state = async () => ({
    holds: await gateway.db.selectFrom("legalHold").selectAll().execute(),
    files: await readdir(join(gateway.dataDir, "files"), { recursive: true }),
    marked: await gateway.db
      .selectFrom("tdb")
      .select("tdbUuid")
      .where((where) =>
        where.or([where("contentRemovedAt", "is not", null), where("receiptRemovedAt", "is not", null)]),
      )
      .execute(),
    audit: await gateway.db
      .selectFrom("auditEvent")
      .select("auditEventId")
      .where("action", "like", "retention.%")
      .execute(),
  });
  const { facilityUuid } = await gateway.db
    .selectFrom("facility")
    .select("facilityUuid")
    .orderBy("facilityUuid")
    .limit(1)
    .executeTakeFirstOrThrow();
  const before = await state();
  // With a rule by which TDBs are due, and a facility that exists.
  const rule = { TDB_KEEP_DAYS: String(days) };
  expect((await retention([], rule)).output).toMatch(/Would remove: the contents of [1-9]/);
  expect(await retention(["--hold", "nowhere", "--reason", "x"], rule)).toEqual({
    code: 1,
    output: "No facility has the uuid nowhere.\n",
  });
  expect(await retention(["--release", "nowhere"], rule)).toEqual({ code: 1, output: "nowhere has no legal hold.\n" });
  for (const args of [
    ["--hold", facilityUuid],
    ["--hold", facilityUuid, "--reason", " "],
    ["--apply", "--holds"],
    ["--apply", "--reason", "x"],
    ["--apply", "--remove"],
  ])
    expect([args, (await retention(args, rule)).code]).toEqual([args, 2]);
  for (const [settings, message] of [
    [{ TDB_KEEP_DAYS: "3" }, /TDB_KEEP_DAYS.*30/],
    [{ ...rule, TDB_KEEP_DELTAS: "0" }, /TDB_KEEP_DELTAS.*1 to/],
    [
      { ...rule, RECEIPT_KEEP_DAYS: "30", UPLOAD_KEEP_HOURS: "720" },
      /RECEIPT_KEEP_DAYS: must be longer than UPLOAD_KEEP_HOURS/,
    ],
  ] as const)
    expect(await retention(["--apply"], settings)).toEqual({
      code: 1,
      output: expect.stringMatching(message) as string,
    });
  expect(await state()).toEqual(before);
});

test("contents of superseded old TDBs are removed, those of a held facility stay; records, hashes and the feed of changes show the removal", async () => {
  const [admin, sent] = [await gateway.as("admin"), await listSent()];
  const due = dueOf(sent, days);
  const held = due[0]!.facilityUuid;
  const going = due.filter(({ facilityUuid }) => facilityUuid !== held);
  expect([going.length, due.length - going.length, sent.length - due.length].every((count) => count > 0)).toBe(true);

  expect((await retention(["--hold", held, "--reason", "Court order"])).code).toBe(0);
  expect((await retention(["--holds"])).output).toMatch(
    new RegExp(`^${held}  since \\d{4}-\\d\\d-\\d\\d  Court order\n$`),
  );
  const counted = await retention([], { TDB_KEEP_DAYS: String(days) });
  expect(counted.output).toContain(`Would remove: the contents of ${going.length} TDBs`);
  expect(counted.output).toContain(`Kept by legal holds: ${due.length - going.length} TDBs`);
  expect(sent.every(({ key }) => existsSync(join(gateway.dataDir, key)))).toBe(true);

  const cursor = await cursorNow(gateway.db, admin);
  expect(await applyRetention({ db: gateway.db, files }, { tdbDays: days })).toMatchObject({
    tdbs: going.length,
    downloads: 0,
  });
  expect(
    sent
      .filter(({ key }) => !existsSync(join(gateway.dataDir, key)))
      .map(({ tdbUuid }) => tdbUuid)
      .toSorted(),
  ).toEqual(going.map(({ tdbUuid }) => tdbUuid).toSorted());
  expect(await listSent()).toHaveLength(sent.length);

  const [{ tdbUuid, facilityUuid }] = going as [Sent];
  const gone = await admin.get(`/api/v1/tdb/file/${tdbUuid}`);
  expect([gone.status, bodyOf(gone).detail]).toEqual([
    410,
    expect.stringMatching(
      /^The content of this TDB was removed on \d{4}-\d\d-\d\d by the rules of retention\. Its SHA-256 is [0-9a-f]{64}\.$/,
    ),
  ]);
  const answer = await admin.graphql(
    "query ($uuid: String!) { tdbs(facilityUuid: $uuid, first: 100) { nodes { uuid contentRemoved } } }",
    { uuid: facilityUuid },
  );
  expect(answer.errors).toBeUndefined();
  const nodes = answer.data.tdbs?.nodes as { uuid: string; contentRemoved: string | null }[];
  expect(
    nodes
      .filter(({ contentRemoved }) => contentRemoved !== null)
      .map(({ uuid }) => uuid)
      .toSorted(),
  ).toEqual(
    going
      .filter((each) => each.facilityUuid === facilityUuid)
      .map((each) => each.tdbUuid)
      .toSorted(),
  );
  await settled(gateway.db);
  const { changes } = bodyOf(await admin.get(`/api/v1/changes?kinds=tdb&limit=1000&since=${cursor}`));
  expect((changes as { key: string }[]).map(({ key }) => key).toSorted()).toEqual(
    going.map((each) => each.tdbUuid).toSorted(),
  );

  expect(await applyRetention({ db: gateway.db, files }, { tdbDays: days })).toMatchObject({ tdbs: 0 });
});

test("contents are removed after this many later deltas of the facility, at any age, if a later full TDB replaces them", async () => {
  const [admin, sent] = [
    await gateway.as("admin"),
    (await listSent()).filter(({ key }) => existsSync(join(gateway.dataDir, key))),
  ];
  const all = await listSent();
  const later = (each: Sent, delta: boolean) =>
    all.filter((other) => other.facilityUuid === each.facilityUuid && other.delta === delta && other.order > each.order)
      .length;
  const { facilityUuid: held } = await gateway.db
    .selectFrom("legalHold")
    .select("facilityUuid")
    .executeTakeFirstOrThrow();
  const dueAfter = (deltas: number) => sent.filter((each) => later(each, true) >= deltas && later(each, false) > 0);
  const deltas = Math.max(
    ...dueAfter(1)
      .map((each) => later(each, true))
      .filter((count) => dueAfter(count).some(({ facilityUuid }) => facilityUuid !== held)),
  );
  const going = dueAfter(deltas).filter(({ facilityUuid }) => facilityUuid !== held);
  expect([
    going.length > 0,
    sent.length > going.length,
    sent.some((each) => later(each, true) >= deltas && later(each, false) === 0),
  ]).toEqual([true, true, true]);

  const counted = await retention([], { TDB_KEEP_DELTAS: String(deltas) });
  expect(counted.output).toContain(`Would remove: the contents of ${going.length} TDBs`);
  const cursor = await cursorNow(gateway.db, admin);
  expect((await retention(["--apply"], { TDB_KEEP_DELTAS: String(deltas) })).output).toContain(
    `Removed: the contents of ${going.length} TDBs`,
  );
  expect(
    sent
      .filter(({ key }) => !existsSync(join(gateway.dataDir, key)))
      .map(({ tdbUuid }) => tdbUuid)
      .toSorted(),
  ).toEqual(going.map(({ tdbUuid }) => tdbUuid).toSorted());
  await settled(gateway.db);
  const { changes } = bodyOf(await admin.get(`/api/v1/changes?kinds=tdb&limit=1000&since=${cursor}`));
  expect((changes as { key: string }[]).map(({ key }) => key).toSorted()).toEqual(
    going.map(({ tdbUuid }) => tdbUuid).toSorted(),
  );

  // With both rules, the contents that either rule removes.
  const either = new Set(
    [...dueOf(sent, days), ...dueAfter(deltas)]
      .filter(({ key, facilityUuid }) => facilityUuid !== held && existsSync(join(gateway.dataDir, key)))
      .map(({ tdbUuid }) => tdbUuid),
  );
  expect((await retention([], { TDB_KEEP_DELTAS: String(deltas), TDB_KEEP_DAYS: String(days) })).output).toContain(
    `Would remove: the contents of ${either.size} TDBs`,
  );
});

test("receipts have their own rule: the file name and the receipt are removed; number, hash, sender, days, size, counts and the file stay", async () => {
  const [admin, uploader] = [await gateway.as("admin"), await gateway.as("uploader")];
  const held = gateway.db.selectFrom("legalHold").select("facilityUuid");
  const { facilityUuid } = await gateway.db
    .selectFrom("facility")
    .select("facilityUuid")
    .where("facilityUuid", "not in", held)
    .orderBy("facilityUuid")
    .limit(1)
    .executeTakeFirstOrThrow();
  const content = tdbxOf(facilityUuid);
  const path = await tusOf(gateway.url, uploader).create(content.length);
  await tusOf(gateway.url, uploader).patch(path, 0, content);
  const { body } = await tusOf(gateway.url, uploader).finish(path);
  const { uuid, reference, sha256 } = body as { uuid: string; reference: number; sha256: string };
  const keptDays = 10_000;
  await gateway.sql`update tdb set uploaded_at = now() - make_interval(days => ${keptDays + 1}) where tdb_uuid = ${uuid}`;
  await files.parts.removeStale(-1000);
  expect((await tusOf(gateway.url, uploader).finish(path)).status).toBe(200);

  expect((await retention(["--hold", facilityUuid, "--reason", "Court order"])).code).toBe(0);
  const rule = { RECEIPT_KEEP_DAYS: String(keptDays) };
  expect((await retention([], rule)).output).toMatch(/ 0 receipts, [^]* 1 receipts, /);
  expect((await retention(["--apply"], rule)).output).toContain(" 0 receipts, ");
  expect((await retention(["--release", facilityUuid])).code).toBe(0);
  expect((await retention([], rule)).output).toMatch(/ 1 receipts, [^]* 0 receipts, /);

  type Row = { uuid: string };
  const records = async () => {
    const fields =
      "uuid fileName reference sha256 fileSize tdbCreationDate uploadTime libraryVersion totalPatients user { userName } userFirstName userSurname irregularities receiptRemoved contentRemoved";
    const answer = await admin.graphql<{ tdbs: { totalCount: number; nodes: Row[] } }>(
      `query ($uuid: String!) { tdbs(facilityUuid: $uuid, first: 100) { totalCount nodes { ${fields} } } }`,
      { uuid: facilityUuid },
    );
    expect(answer.errors).toBeUndefined();
    return answer.data.tdbs;
  };
  const [before, cursor] = [await records(), await cursorNow(gateway.db, admin)];
  const kept = before.nodes.find((node) => node.uuid === uuid)!;
  expect(kept).toMatchObject({
    reference,
    sha256,
    fileSize: content.length,
    totalPatients: expect.any(Number),
    user: { userName: "uploader" },
    fileName: "big.tdbx",
    receiptRemoved: null,
  });
  expect((await retention(["--apply"], rule)).output).toContain(" 1 receipts, ");
  expect((await tusOf(gateway.url, uploader).finish(path)).status).toBe(404);
  const removed = {
    ...kept,
    fileName: `${uuid}.tdbx`,
    receiptRemoved: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
  };
  expect(await records()).toEqual({ ...before, nodes: before.nodes.map((node) => (node === kept ? removed : node)) });
  expect((await uploader.get(`/api/v1/tdb/file/${uuid}`)).status).toBe(200);
  await settled(gateway.db);
  const { changes } = bodyOf(await admin.get(`/api/v1/changes?kinds=tdb&limit=1000&since=${cursor}`));
  expect((changes as { key: string }[]).map(({ key }) => key)).toEqual([uuid]);
  const auditRows = await sql<{ details: object }>`
    select details from audit_event where action = 'retention.apply' order by audit_event_id desc limit 1`.execute(
    gateway.db,
  );
  expect(auditRows.rows[0]!.details).toEqual({ receipts: 1 });
});

test("after a kill between mark and removal, the sweep removes the files, and a backup does not report them as missing", async () => {
  const due = dueOf(await listSent(), 60);
  const marked = await updateOldTdbs(gateway.db, { tdbDays: 60 }, 500);
  expect(marked.length).toBeGreaterThan(0);
  expect(marked.length).toBeLessThan(due.length);
  expect(await sweepFiles(gateway.db, files, { keepHours: 1, afterMs: -1000 })).toBe(marked.length);
  expect(marked.some(({ storageKey }) => existsSync(join(gateway.dataDir, storageKey)))).toBe(false);
  const { manifest } = await takeBackup(
    { db: gateway.db, files },
    { place: folderPlace(join(gateway.dataDir, "saved")) },
    { say: () => {} },
  );
  expect([manifest.files.missing, manifest.files.count]).toEqual([
    [],
    (await readdir(join(gateway.dataDir, "files/tdb"))).length +
      (await readdir(join(gateway.dataDir, "files/download"))).length,
  ]);
});

test("the file of a download that was withdrawn long ago is removed, others stay", async () => {
  const [chosen, other] = await gateway.db
    .selectFrom("download")
    .select(["downloadUuid", "storageKey"])
    .orderBy("downloadUuid")
    .limit(2)
    .execute();
  await gateway.sql`update download set withdrawn_at = now() - interval '40 days' where download_uuid = ${chosen!.downloadUuid}`;
  expect(await applyRetention({ db: gateway.db, files }, { downloadDays: 41 })).toMatchObject({ downloads: 0 });
  expect(await applyRetention({ db: gateway.db, files }, { downloadDays: 39 })).toMatchObject({ downloads: 1 });
  expect([chosen, other].map((each) => existsSync(join(gateway.dataDir, each!.storageKey)))).toEqual([false, true]);
});

test("old audit events are removed, those of a held facility stay, and the audit is still append-only", async () => {
  const { facilityUuid } = await gateway.db.selectFrom("legalHold").select("facilityUuid").executeTakeFirstOrThrow();
  await gateway.sql`insert into audit_event (action, outcome, occurred_at, facility_uuid)
    select 'tdb.fetch', 'done', now() - interval '400 days', case when n = 1 then ${facilityUuid} end from generate_series(1, 501) as n`;
  const old = () =>
    sql<{ n: number }>`select count(*) as n from audit_event where occurred_at < now() - interval '380 days'`
      .execute(gateway.db)
      .then(({ rows }) => rows[0]!.n);
  const before = await old();
  expect((await applyRetention({ db: gateway.db, files }, { auditDays: 380 })).auditEvents).toBe(before - 1);
  expect(await old()).toBe(1);
  await expect(sql`delete from audit_event`.execute(gateway.db)).rejects.toThrow("append-only");
  const auditRows = await sql<{
    details: { auditEvents: number };
  }>`select details from audit_event where action = 'retention.apply' order by audit_event_id desc limit 1`.execute(
    gateway.db,
  );
  expect(auditRows.rows[0]!.details).toEqual({ auditEvents: before - 1 });
});
