import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findLastBackup } from "../../db/system/doctor.ts";
import type { Manifest } from "../../gateway/backup/manifest.rules.ts";
import { momentOf } from "../../gateway/backup/retention.rules.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { command, keepFiles, killInTheMiddle } from "./command.ts";

/**
 * Backups that are encrypted to a public key of age: made, proved and refused by the commands, restored with the
 * private key.
 */

let gateway: TestGateway;
let scratch: string;
let folder: string;
let recipient: string;
let settings: Record<string, string>;
let identity: string;

/** A private key in a file as age-keygen writes it. */
async function keygen(name: string, make = generateX25519Identity): Promise<{ path: string; recipient: string }> {
  const secret = await make();
  const to = await identityToRecipient(secret);
  const path = join(scratch, name);
  await writeFile(path, `# created: 2026-11-23T00:00:00Z\n# public key: ${to}\n${secret}\n`);
  return { path, recipient: to };
}
const manifestIn = async (path: string) =>
  (JSON.parse(await readFile(join(path, "manifest.json"), "utf8")) as { manifest: Manifest }).manifest;
const made = async () => (await readdir(folder)).filter((name) => momentOf(name)).toSorted();
const newest = async () => join(folder, (await made()).at(-1)!);
const age = async (name: string) => rename(await newest(), join(folder, name));
const filesOf = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
    .toSorted();

beforeAll(async () => {
  [gateway, scratch] = await Promise.all([testGateway(), mkdtemp(join(tmpdir(), "sealed-"))]);
  await keepFiles(gateway, 30);
  folder = join(scratch, "backups");
  ({ path: identity, recipient } = await keygen("key.txt"));
  settings = {
    DATABASE_URL: gateway.database.url,
    DATA_DIR: gateway.dataDir,
    BACKUP_DIR: folder,
    BACKUP_RECIPIENT: recipient,
    BACKUP_KEEP: "9 days, 0 weeks, 0 months",
  };
});
afterAll(async () => {
  await gateway?.stop();
  await rm(scratch, { recursive: true, force: true });
});

test("a bad public key stops backup and restore, which write nothing, and the doctor reports it; the message names the setting", async () => {
  const refused = {
    code: 1,
    output: expect.stringContaining("Setting BACKUP_RECIPIENT: must be a public key of age") as string,
  };
  const wrongKeys = [
    "age1nonsense",
    identity,
    recipient.slice(0, -1),
    `${recipient.slice(0, -1)}${recipient.endsWith("q") ? "p" : "q"}`,
    recipient.toUpperCase(),
  ];
  for (const bad of wrongKeys)
    expect(await command("backup", ["--scheduled"], { ...settings, BACKUP_RECIPIENT: bad }), bad).toMatchObject(
      refused,
    );
  const single = join(scratch, "single");
  const calls: [...Parameters<typeof command>, object][] = [
    ["backup", ["--scheduled", "--if-due"], settings, refused],
    ["backup", [single], settings, refused],
    ["backup", [single, "--check"], settings, refused],
    ["restore", [single], settings, refused],
    ["restore", [single, "--identity", identity, "--check"], settings, refused],
    ["doctor", [], settings, { ...refused, code: 2 }],
  ];
  for (const [name, args, usual, expected] of calls)
    expect(
      await command(name, args, { ...usual, BACKUP_RECIPIENT: wrongKeys[0]! }),
      `${name} ${args.join(" ")}`,
    ).toMatchObject(expected);
  expect(await readdir(scratch)).toEqual(["key.txt"]);
});

test("the scheduled backup is proved from what was written, and all but its manifest and its list of hashes is encrypted", async () => {
  const { code, output } = await command("backup", ["--scheduled"], settings);
  expect(code, output).toBe(0);
  expect(output).toMatch(/is whole: .*, encrypted for age1/);
  const last = (await findLastBackup(gateway.db))!;
  expect(last).toMatchObject({ recipient, place: folder });
  expect(last.provedRows).toBeGreaterThan(1000);
  const path = await newest();
  const clear = (await filesOf(path)).filter((name) => !name.endsWith(".age"));
  expect(clear).toEqual(["manifest.json", "sealed.ndjson.gz"]);
  for (const name of (await filesOf(path)).filter((each) => each.endsWith(".age")))
    expect((await readFile(join(path, name))).subarray(0, 21).toString(), name).toBe("age-encryption.org/v1");
  const { facilityName } = await gateway.db.selectFrom("facility").select("facilityName").executeTakeFirstOrThrow();
  expect(await readFile(join(path, "manifest.json"), "utf8")).not.toContain(facilityName);
  await age("2026-01-02T0000");
});

test("the next backup reuses files that are encrypted already; for another key the files are encrypted again", async () => {
  expect(await command("backup", ["--scheduled"], settings)).toMatchObject({ code: 0 });
  await age("2026-01-03T0000");
  const other = await keygen("other.txt", generateHybridIdentity);
  expect(await command("backup", ["--scheduled"], { ...settings, BACKUP_RECIPIENT: other.recipient })).toMatchObject({
    code: 0,
  });
  await age("2026-01-04T0000");
  const [name] = await readdir(join(folder, "2026-01-02T0000/files/tdb"));
  const inodes = await Promise.all(
    (await made()).map(async (each) => (await stat(join(folder, each, "files/tdb", name!))).ino),
  );
  expect(inodes[1]).toBe(inodes[0]);
  expect(inodes[2]).not.toBe(inodes[0]);
  expect(
    await command("restore", [join(folder, "2026-01-04T0000"), "--identity", other.path, "--check"], {}),
  ).toMatchObject({ code: 0 });
  expect(
    await command("restore", [join(folder, "2026-01-03T0000"), "--identity", other.path, "--check"], {}),
  ).toMatchObject({ code: 1, output: expect.stringContaining("encrypted for another identity") });
  await rm(join(folder, "2026-01-04T0000"), { recursive: true });
});

test("if the list of an earlier backup is damaged, the next backup works without it", async () => {
  const list = join(await newest(), "sealed.ndjson.gz");
  const original = await readFile(list);
  await rm(list);
  await writeFile(list, original.subarray(0, original.length / 2));
  expect(await command("backup", ["--scheduled"], settings)).toMatchObject({ code: 0 });
  expect(await command("restore", [await newest(), "--identity", identity, "--check"], {})).toMatchObject({ code: 0 });
  await rm(await newest(), { recursive: true });
  await rm(list);
  await writeFile(list, original);
});

test("a backup that is killed in the middle is not complete; the next one is complete and removes what is left of it", async () => {
  const before = await made();
  await killInTheMiddle(gateway.db, settings);
  const left = (await made()).find((name) => !before.includes(name));
  expect(await readdir(join(folder, left!))).not.toContain("manifest.json");
  expect(await command("restore", [join(folder, left!), "--check"], {})).toMatchObject({
    code: 1,
    output: expect.stringContaining("is no complete backup"),
  });
  expect(await command("backup", ["--scheduled"], settings)).toMatchObject({ code: 0 });
  expect(await made()).toHaveLength(before.length + 1);
  expect(await command("restore", [await newest(), "--identity", identity, "--check"], {})).toMatchObject({ code: 0 });
});

describe("a restore", () => {
  let target: TestDatabase;
  let dataDir: string;
  let path: string;
  beforeAll(async () => {
    target = await testDatabase("empty");
    dataDir = join(scratch, "target");
    await mkdir(dataDir);
    path = join(folder, "2026-01-03T0000");
  });
  afterAll(() => target?.drop());
  const restore = (from: string, ...more: string[]) =>
    command("restore", [from, ...more], { DATABASE_URL: target.url, DATA_DIR: dataDir });
  /** What a restore has written so far. */
  const written = async () => {
    const { rows } = (
      await sql<{ rows: number }>`
        select (select count(*) from facility) + (select count(*) from assessment) + (select count(*) from tdb) + (select count(*) from app_user) as rows`.execute(
        target.db,
      )
    ).rows[0]!;
    return { files: await filesOf(dataDir), rows };
  };
  const refusal = (message: RegExp) => ({
    code: 1,
    output: expect.stringMatching(new RegExp(`Nothing was restored: .*${message.source}`)) as string,
  });

  test("is refused without the private key, or with another one, and writes no file and no row", async () => {
    const wrong = await keygen("wrong.txt");
    await writeFile(join(scratch, "none.txt"), "# nothing\n");
    expect(await restore(path)).toMatchObject(
      refusal(/is encrypted for age1.*: name the file of its private key with --identity/),
    );
    expect(await restore(path, "--identity", wrong.path)).toMatchObject(
      refusal(/files\.ndjson\.gz\.age is encrypted for another identity/),
    );
    expect(await restore(path, "--identity", join(scratch, "absent.txt"))).toMatchObject(
      refusal(/absent\.txt cannot be used as the private key/),
    );
    expect(await restore(path, "--identity", join(scratch, "none.txt"))).toMatchObject(
      refusal(/has no private key of age/),
    );
    expect(await written()).toEqual({ files: [], rows: 0 });
    // The check for completeness needs no private key.
    expect(await command("restore", [path, "--check"], {})).toMatchObject({ code: 0 });
  });

  const someFile = async (from: string) => join(from, "files/tdb", (await readdir(join(from, "files/tdb")))[0]!);
  const flip = async (file: string) => {
    const bytes = await readFile(file);
    bytes[bytes.length - 1]! ^= 1;
    await rm(file);
    await writeFile(file, bytes);
  };
  test.each<[string, (from: string) => Promise<unknown>, RegExp]>([
    [
      "a part with another byte",
      (from) => flip(join(from, "tables/facility.copy.gz.age")),
      /facility\.copy\.gz\.age was changed/,
    ],
    ["a missing part", (from) => rm(join(from, "tables/facility.copy.gz.age")), /facility\.copy\.gz\.age is missing/],
    [
      "a truncated list",
      (from) => truncate(join(from, "files.ndjson.gz.age"), 300),
      /files\.ndjson\.gz\.age has 300 bytes/,
    ],
    [
      "a missing list of the encrypted files",
      (from) => rm(join(from, "sealed.ndjson.gz")),
      /sealed\.ndjson\.gz is missing/,
    ],
    ["a stored file with another byte", async (from) => flip(await someFile(from)), /\.age was changed/],
    ["a missing stored file", async (from) => rm(await someFile(from)), /\.age is missing/],
  ])("is refused for %s, and writes no file and no row", async (_name, damage, message) => {
    const damaged = join(scratch, "damaged");
    await cp(path, damaged, { recursive: true });
    await damage(damaged);
    expect(await restore(damaged, "--identity", identity)).toMatchObject(refusal(message));
    expect(await written()).toEqual({ files: [], rows: 0 });
    expect(await command("restore", [damaged, "--check"], {})).toMatchObject(refusal(message));
    await rm(damaged, { recursive: true });
  });

  test("restores all files, and the same number of rows in each table, with the private key", async () => {
    const { code, output } = await restore(path, "--identity", identity);
    expect(code, output).toBe(0);
    const { tables, files } = await manifestIn(path);
    for (const { name, rows } of tables.filter(({ name: each }) => each !== "audit_event")) {
      const [{ count }] = (
        await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(target.db)
      ).rows as [{ count: number }];
      expect([name, count]).toEqual([name, rows]);
    }
    const names = (await filesOf(join(gateway.dataDir, "files"))).filter((name) => /^(tdb|download)/.test(name));
    expect(names).toHaveLength(files.count);
    for (const name of names)
      expect(
        (await readFile(join(dataDir, "files", name))).equals(await readFile(join(gateway.dataDir, "files", name))),
        name,
      ).toBe(true);
  });
});
