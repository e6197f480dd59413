import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findBackupFailure, findLastBackup } from "../../db/system/doctor.ts";
import { momentOf } from "../../gateway/backup/retention.rules.ts";
import { type Bucket, openBucket } from "../../gateway/storage/bucket.ts";
import { type ObjectStore, startObjectStore } from "../storage/objectStore.ts";
import { testDatabase } from "../support/database.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { command, keepFiles, killInTheMiddle } from "./command.ts";

/**
 * Scheduled backups in object storage, by the commands: files are stored once and kept by rule; backups are restored,
 * damaged and interrupted.
 */

let gateway: TestGateway;
let store: ObjectStore;
let bucket: Bucket;
let scratch: string;
let settings: Record<string, string>;
const address = "s3://platform/country/nightly";
const root = "country/nightly/";

beforeAll(async () => {
  [gateway, store, scratch] = await Promise.all([
    testGateway(),
    startObjectStore(),
    mkdtemp(join(tmpdir(), "objects-")),
  ]);
  // More files than a page of the listing of test/storage/objectStore.ts has.
  await keepFiles(gateway, 30);
  bucket = openBucket(store.settings);
  const { endpoint, accessKeyId, secretAccessKey } = store.settings;
  await writeFile(join(scratch, "secret"), `${secretAccessKey}\n`);
  settings = {
    DATABASE_URL: gateway.database.url,
    DATA_DIR: gateway.dataDir,
    BACKUP_DIR: address,
    BACKUP_KEEP: "9 days, 0 weeks, 0 months",
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY_FILE: join(scratch, "secret"),
  };
});
afterAll(async () => {
  await gateway?.stop();
  await store?.stop();
  await rm(scratch, { recursive: true, force: true });
});

const scheduled = (more: Record<string, string> = {}) => command("backup", ["--scheduled"], { ...settings, ...more });
async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(root + prefix)) keys.push(key.slice(root.length));
  return keys;
}
const contents = () => keysBelow("contents/");
const made = async () => (await bucket.folders(root)).filter((name) => momentOf(name)).toSorted();
async function bytesOf(key: string): Promise<Buffer> {
  return Buffer.concat((await (await bucket.read(root + key)).toArray()) as Buffer[]);
}
/** Renames the newest backup, as if it had been made at that time. */
async function age(name: string): Promise<void> {
  const newest = (await made()).at(-1)!;
  for (const key of await keysBelow(`${newest}/`)) {
    await bucket.write(`${root}${name}${key.slice(newest.length)}`, await bytesOf(key));
    await bucket.remove(root + key);
  }
}
async function restored(
  from: string,
  more: string[] = [],
): Promise<{ code: number | null; output: string; files: string[]; dataDir: string }> {
  const target = await testDatabase("empty");
  const dataDir = await mkdtemp(join(scratch, "target-"));
  await mkdir(join(dataDir, "files"));
  const ended = await command("restore", [from, ...more], { ...settings, DATABASE_URL: target.url, DATA_DIR: dataDir });
  const files = (
    await Promise.all(
      ["tdb", "download"].map((each) =>
        readdir(join(dataDir, "files", each)).then(
          (names) => names.map((name) => join(each, name)),
          () => [],
        ),
      ),
    )
  ).flat();
  await target.drop();
  return { ...ended, files, dataDir };
}
async function expectRestored(from: string, more: string[] = []): Promise<void> {
  const { code, output, files, dataDir } = await restored(from, more);
  expect(code, output).toBe(0);
  const { tdbs } = await gateway.db
    .selectFrom("tdb")
    .select((eb) => eb.fn.countAll<number>().as("tdbs"))
    .where("contentRemovedAt", "is", null)
    .executeTakeFirstOrThrow();
  expect(files.filter((name) => name.startsWith("tdb/"))).toHaveLength(tdbs);
  for (const name of files)
    expect(
      (await readFile(join(dataDir, "files", name))).equals(await readFile(join(gateway.dataDir, "files", name))),
      name,
    ).toBe(true);
}

test("an invalid address and a storage that cannot be reached are reported by the commands and the doctor", async () => {
  for (const bad of ["ftp://somewhere", "s3://Bucket", "s3://", "s3://bucket/a b"])
    expect(await scheduled({ BACKUP_DIR: bad }), bad).toMatchObject({
      code: 1,
      output: expect.stringContaining("Setting BACKUP_DIR: must be a folder, or an address such as s3://bucket/prefix"),
    });
  const away = { BACKUP_S3_ENDPOINT: "http://127.0.0.1:1" };
  expect(await scheduled(away)).toMatchObject({ code: 1, output: expect.stringContaining("ECONNREFUSED") });
  expect((await findBackupFailure(gateway.db))!.reason).toMatch(/ECONNREFUSED/);
  const doctor = await command("doctor", ["--json"], { ...settings, ...away });
  expect(doctor.output).toMatch(/Backups cannot be written to s3:\/\/platform\/country\/nightly: .*ECONNREFUSED/);
});

test("the scheduled backup is proved, and its files are stored once, under the hash of their content", async () => {
  const first = await scheduled();
  expect(first.code, first.output).toBe(0);
  const files = await gateway.db.selectFrom("tdb").select("sha256").where("contentRemovedAt", "is", null).execute();
  const stored = await contents();
  expect(stored).toEqual(expect.arrayContaining(files.map(({ sha256 }) => `contents/${sha256}`)));
  await age("2026-01-02T0000");
  const second = await scheduled();
  expect(second.code, second.output).toBe(0);
  expect(await contents()).toEqual(stored);
  expect(await findBackupFailure(gateway.db)).toBeUndefined();
  const last = (await findLastBackup(gateway.db))!;
  expect(last).toMatchObject({ place: address, provedRows: expect.any(Number) });
  const doctor = await command("doctor", ["--json"], settings);
  expect(doctor.output).toContain(`it lies in ${address}, not encrypted`);
  expect(doctor.output).toContain(`backups can be written to ${address}, read and removed`);
  expect(await keysBelow("probe")).toEqual([]);
  await age("2026-01-03T0000");
  await expectRestored(`${address}/2026-01-02T0000`);
});

test("a manual backup shares the stored files; a name that exists already is refused", async () => {
  const before = await contents();
  const byHand = await command("backup", [`${address}/before-the-upgrade`, "--check"], settings);
  expect(byHand.code, byHand.output).toBe(0);
  expect(await contents()).toEqual(before);
  expect(await command("backup", [`${address}/before-the-upgrade`], settings)).toMatchObject({
    code: 1,
    output: expect.stringContaining("is not empty"),
  });
  expect(await command("restore", [`${address}/absent`, "--check"], settings)).toMatchObject({
    code: 1,
    output: expect.stringContaining("is no complete backup"),
  });
});

test("a damaged file is found by reading it, and by its size at the next backup; the backup after that stores it again", async () => {
  const [one] = await contents();
  const original = await bytesOf(one!);
  await bucket.write(root + one!, original.map((byte, at) => (at === 0 ? byte ^ 1 : byte)) as Buffer);
  expect(await command("restore", [`${address}/2026-01-03T0000`, "--check"], settings)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${one} was changed`),
  });
  await bucket.write(root + one!, original.subarray(1));
  expect(await scheduled()).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${one} has ${original.length - 1} bytes instead of ${original.length}`),
  });
  expect(await made()).toEqual(["2026-01-02T0000", "2026-01-03T0000"]);
  expect(await findBackupFailure(gateway.db)).toMatchObject({ isDamage: true });
  // A file that is damaged in the product's own storage does not replace the copy in earlier backups.
  const source = await gateway.db
    .selectFrom("tdb")
    .select(["storageKey", "sha256"])
    .where("contentRemovedAt", "is", null)
    .where("sha256", "!=", one!.slice("contents/".length))
    .executeTakeFirstOrThrow();
  const [path, other] = [join(gateway.dataDir, source.storageKey), `contents/${source.sha256}`];
  const [mine, theirs] = [await readFile(path), await bytesOf(other)];
  await rm(path);
  await writeFile(
    path,
    mine.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
  );
  expect(await scheduled()).toMatchObject({ code: 0 });
  expect((await bytesOf(one!)).equals(original)).toBe(true);
  expect((await bytesOf(other)).equals(theirs)).toBe(true);
  await bucket.remove(root + other);
  await age("2026-01-03T1200");
  expect(await scheduled()).toMatchObject({
    code: 1,
    output: expect.stringContaining("1 stored files are lost or damaged"),
  });
  expect(await contents()).not.toContain(other);
  await rm(path);
  await writeFile(path, mine);
  expect(await scheduled()).toMatchObject({ code: 0 });
  expect((await bytesOf(other)).equals(theirs)).toBe(true);
  await age("2026-01-04T0000");
  await bucket.remove(root + one!);
  expect(await command("restore", [`${address}/2026-01-04T0000`, "--check"], settings)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${one} is missing`),
  });
  expect(await scheduled()).toMatchObject({ code: 0 });
  expect((await bytesOf(one!)).equals(original)).toBe(true);
  await age("2026-01-05T0000");
});

test("a backup that is killed in the middle is not complete; the next one removes what is left of it", async () => {
  const before = await made();
  await killInTheMiddle(gateway.db, settings);
  const left = (await made()).find((name) => !before.includes(name))!;
  expect(await keysBelow(`${left}/manifest`)).toEqual([]);
  await bucket.write(`${root}contents/${"0".repeat(64)}`, "what a killed one had stored");
  expect(await scheduled()).toMatchObject({
    code: 0,
    output: expect.stringContaining("1 stored files were removed that no backup names"),
  });
  await age("2026-01-06T0000");
  expect(await made()).toEqual([...before, "2026-01-06T0000"]);
});

test("old backups are removed by the rule, and a file is removed with the last backup that names it", async () => {
  const { tdbUuid, sha256, storageKey } = await gateway.db
    .selectFrom("tdb")
    .select(["tdbUuid", "sha256", "storageKey"])
    .where("contentRemovedAt", "is", null)
    .executeTakeFirstOrThrow();
  await gateway.sql`update tdb set content_removed_at = now() where tdb_uuid = ${tdbUuid}`;
  await rm(join(gateway.dataDir, storageKey));
  expect(await scheduled({ BACKUP_KEEP: "1 day, 0 weeks, 0 months" })).toMatchObject({ code: 0 });
  expect(await made()).toHaveLength(1);
  // The manual backup still names it.
  expect(await contents()).toContain(`contents/${sha256}`);
  for (const key of await keysBelow("before-the-upgrade/")) await bucket.remove(root + key);
  await age("2026-01-07T0000");
  expect(await scheduled({ BACKUP_KEEP: "1 day, 0 weeks, 0 months" })).toMatchObject({ code: 0 });
  expect(await contents()).not.toContain(`contents/${sha256}`);
  await expectRestored(`${address}/${(await made())[0]}`);
  await age("2026-01-07T0000");
});

test("of an encrypted backup only the manifest and hashes are readable, files are encrypted once, and the private key restores it", async () => {
  const identity = await generateX25519Identity();
  await writeFile(join(scratch, "key.txt"), `${identity}\n`);
  const sealed = { BACKUP_RECIPIENT: await identityToRecipient(identity), BACKUP_KEEP: "1 day, 0 weeks, 0 months" };
  expect(await scheduled(sealed)).toMatchObject({ code: 0 });
  const stored = await contents();
  for (const key of stored) expect((await bytesOf(key)).subarray(0, 21).toString(), key).toBe("age-encryption.org/v1");
  const [newest] = await made();
  const parts = await keysBelow(`${newest}/`);
  expect(parts.filter((key) => !key.endsWith(".age"))).toEqual([
    `${newest}/manifest.json`,
    `${newest}/sealed.ndjson.gz`,
  ]);
  await age("2026-01-08T0000");
  expect(await scheduled(sealed)).toMatchObject({ code: 0 });
  expect(await contents()).toEqual(stored);
  const from = `${address}/${(await made())[0]}`;
  expect(await restored(from)).toMatchObject({ code: 1, files: [], output: expect.stringContaining("--identity") });
  await expectRestored(from, ["--identity", join(scratch, "key.txt")]);
});
