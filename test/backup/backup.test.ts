import { createHash } from "node:crypto";
import { appendFile, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { connect } from "../../db/engine/connect.ts";
import { openEmbedded } from "../../db/engine/embedded/embedded.ts";
import { takeBackup } from "../../gateway/backup/backup.ts";
import type { Manifest } from "../../gateway/backup/manifest.rules.ts";
import { folderPlace } from "../../gateway/backup/folderPlace.ts";
import { checkBackup, restoreBackup } from "../../gateway/backup/restore.ts";
import { createServer } from "../../gateway/http/server.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { stranger } from "../support/gateway.ts";
import { startObjectStore } from "../storage/objectStore.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf, formOf, sendForm, tdbxOf } from "../support/tdbx.ts";
import { command } from "./command.ts";

/** Backup and restore, as an operator calls them, while a gateway keeps working. */

let printed: string;
const silent = () => {};

const manifestIn = async (path: string): Promise<Manifest> =>
  (JSON.parse(await readFile(join(path, "manifest.json"), "utf8")) as { manifest: Manifest }).manifest;
/** The content of the tables, without what a restore itself adds. */
const contentOf = ({ tables, sequences }: Manifest) => ({
  tables: tables.filter(({ name }) => name !== "audit_event"),
  sequences: sequences.filter(({ name }) => !name.startsWith("audit_event")),
});

const gateway = await gatewayOfFile();
const scratch = await mkdtemp(join(tmpdir(), "platform-backup-"));
const folder = join(scratch, "first");
beforeAll(async () => {
  const uploader = await gateway.as("uploader");
  const facilities = await gateway.db.selectFrom("facility").select("facilityUuid").limit(50).execute();
  const over = new AbortController();
  const uploads = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const content = tdbxOf(facilities[turn % 50]!.facilityUuid, {}, 30_000);
      const answer = await sendForm(gateway.url, "/api/v1/tdb", uploader, formOf([{ name: `${turn}.tdbx`, content }]));
      if (answer.status !== 200) throw new Error(answer.text);
    }
  })();
  const { code, output } = await command("backup", [folder], {
    DATABASE_URL: gateway.database.url,
    DATA_DIR: gateway.dataDir,
  });
  over.abort();
  await uploads;
  if (code !== 0) throw new Error(output);
  printed = /SHA-256 of its manifest: (\w+)/.exec(output)![1]!;
});
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

test("a backup during uploads is of one moment, and contains the file of every row", async () => {
  const { manifest, sha256 } = await checkBackup(folderPlace(folder), { say: silent });
  expect(sha256).toBe(printed);
  const rows = Object.fromEntries(manifest.tables.map((table) => [table.name, table.rows]));
  expect(manifest.files.count).toBe(rows["tdb"]! + rows["download"]!);
  const { count } = await gateway.db
    .selectFrom("tdb")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  expect(rows["tdb"]).toBeLessThan(count);
  expect(Object.keys(rows)).not.toContain("session");
  const event = await gateway.db
    .selectFrom("auditEvent")
    .select("details")
    .where("action", "=", "system.backup")
    .executeTakeFirstOrThrow();
  expect(event.details).toMatchObject({ manifest: printed });
});

test("the command restores everything into an empty system as it was, and the product serves it", async () => {
  const dataDir = join(scratch, "restored");
  const settings = { DATA_DIR: dataDir, DEMO: "0" };
  const restored = await command("restore", [folder, "--sha256", printed], settings);
  expect(restored, restored.output).toMatchObject({ code: 0 });
  const again = join(scratch, "again");
  expect(await command("backup", [again], settings)).toMatchObject({ code: 0 });
  const [first, second] = [await manifestIn(folder), await manifestIn(again)];
  expect(contentOf(second)).toEqual(contentOf(first));
  expect(second.files).toEqual(first.files);

  const embedded = await openEmbedded(dataDir);
  const db = connect(embedded.connection, "Africa/Lusaka", silent);
  const server = await createServer({ db, dataDir, timeZone: "Africa/Lusaka" });
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  const uploader = stranger(url);
  expect((await uploader.call("POST", "/api/v1/auth", { login: "uploader", password: "demo-password" })).status).toBe(
    200,
  );
  const { tdbUuid, sha256 } = await db
    .selectFrom("tdb")
    .select(["tdbUuid", "sha256"])
    .orderBy("uploadedAt", "desc")
    .executeTakeFirstOrThrow();
  const file = await fetch(`${url}/api/v1/tdb/file/${tdbUuid}`, { headers: { cookie: cookiesOf(uploader) } });
  expect(
    createHash("sha256")
      .update(Buffer.from(await file.arrayBuffer()))
      .digest("hex"),
  ).toBe(sha256);
  // Sequences continue where they were, and the audit is append-only again.
  const { facilityUuid } = await db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow();
  expect(
    (await sendForm(url, "/api/v1/tdb", uploader, formOf([{ name: "next.tdbx", content: tdbxOf(facilityUuid) }])))
      .status,
  ).toBe(200);
  await expect(db.deleteFrom("auditEvent").execute()).rejects.toThrow("append-only");
  expect(
    await db.selectFrom("auditEvent").select("outcome").where("action", "=", "system.restore").execute(),
  ).toHaveLength(1);
  await server.close();
  await db.destroy();
  await embedded.stop();

  const twice = await command("restore", [folder], settings);
  expect(twice).toMatchObject({
    code: 1,
    output: expect.stringMatching(/Nothing was restored: The database is not empty/),
  });
});

describe("a restore is refused before anything is changed", () => {
  let target: TestDatabase;
  let dataDir: string;
  beforeAll(async () => {
    target = await testDatabase("empty");
    dataDir = join(scratch, "target");
    await mkdir(dataDir);
  });
  afterAll(() => target?.drop());

  const tableFile = "tables/tdb.copy.gz";
  const someFile = async (path: string) => join(path, "files/tdb", (await readdir(join(path, "files/tdb")))[0]!);
  const damages: [string, (path: string) => Promise<unknown>, RegExp][] = [
    ["a truncated file", async (path) => truncate(await someFile(path), 100), /has 100 bytes instead of/],
    [
      "a file with another byte",
      async (path) => {
        const file = await someFile(path);
        const bytes = await readFile(file);
        bytes[bytes.length - 1]! ^= 1;
        await writeFile(file, bytes);
      },
      /was changed/,
    ],
    ["a missing file", async (path) => rm(await someFile(path)), /is missing/],
    ["truncated rows", (path) => truncate(join(path, tableFile), 50), /tdb\.copy\.gz has 50 bytes/],
    ["more rows", (path) => appendFile(join(path, tableFile), "x"), /tdb\.copy\.gz has/],
    ["a shorter list of files", (path) => truncate(join(path, "files.ndjson.gz"), 60), /files\.ndjson\.gz/],
    [
      "a changed manifest",
      async (path) => {
        const text = await readFile(join(path, "manifest.json"), "utf8");
        await writeFile(join(path, "manifest.json"), text.replace(/"rows": \d+/, '"rows": 0'));
      },
      /not what was written/,
    ],
    ["a truncated manifest", (path) => truncate(join(path, "manifest.json"), 200), /cannot be used/],
    ["a backup that was broken off", (path) => rm(join(path, "manifest.json")), /no complete backup/],
  ];

  test.each(damages)("%s", async (name, damage, message) => {
    const damaged = join(scratch, name.replaceAll(" ", "-"));
    await cp(folder, damaged, { recursive: true });
    await damage(damaged);
    await expect(checkBackup(folderPlace(damaged), { say: silent })).rejects.toThrow(message);
    await rm(damaged, { recursive: true });
  });

  test("by the command, which leaves database and files as they were", async () => {
    const damaged = join(scratch, "damaged");
    await cp(folder, damaged, { recursive: true });
    await truncate(join(damaged, tableFile), 50);
    const settings = { DATABASE_URL: target.url, DATA_DIR: dataDir };
    expect(await command("restore", [damaged], settings)).toMatchObject({
      code: 1,
      output: expect.stringContaining("Nothing was restored"),
    });
    expect(await command("restore", [folder, "--sha256", "0".repeat(64)], settings)).toMatchObject({ code: 1 });
    expect(await readdir(dataDir)).toEqual([]);
    expect(await target.db.selectFrom("facility").select("facilityUuid").execute()).toEqual([]);
    expect(await command("restore", [], settings)).toMatchObject({ code: 2 });
    expect(await command("restore", [folder, "--check"], {})).toMatchObject({ code: 0 });
  });

  test("for a storage with other files; but files of an interrupted restore are written again, here into object storage", async () => {
    const store = await startObjectStore();
    const files = await openFiles(dataDir, store.settings);
    const backup = await checkBackup(folderPlace(folder), { say: silent });
    const system = { db: target.db, files };
    const foreign = join(scratch, "foreign");
    await writeFile(foreign, "something");
    await files.storage.keep(foreign, "files/tdb/foreign.tdbx");
    await expect(restoreBackup(system, backup, silent)).rejects.toThrow(
      "The file storage is not empty: files/tdb/foreign.tdbx",
    );
    await files.storage.remove("files/tdb/foreign.tdbx");

    const [part] = await readdir(join(folder, "files/tdb"));
    await files.storage.keep(foreign, `files/tdb/${part}`);
    await restoreBackup(system, backup, silent);
    expect(await readdir(join(dataDir, "files/incoming"))).toEqual([]);
    const fromObjects = await takeBackup(
      system,
      { place: folderPlace(join(scratch, "from-objects")) },
      { say: silent },
    );
    expect(contentOf(fromObjects.manifest)).toEqual(contentOf(backup.manifest));
    expect(fromObjects.manifest.files).toEqual(backup.manifest.files);
    await store.stop();
  });
});

test("a lost file is named and no backup is made, unless missing files are allowed", async () => {
  const files = await openFiles(gateway.dataDir);
  const { storageKey } = await gateway.db.selectFrom("tdb").select("storageKey").executeTakeFirstOrThrow();
  const path = join(gateway.dataDir, storageKey);
  await copyFile(path, join(scratch, "kept"));
  await rm(path);
  await appendFile(path, "damaged");
  const lines: string[] = [];
  const into = join(scratch, "lost");
  const backup = (allowMissing: boolean) =>
    takeBackup(
      { db: gateway.db, files },
      { place: folderPlace(into) },
      { allowMissing, say: (line) => void lines.push(line) },
    );
  await expect(backup(false)).rejects.toThrow("1 stored files are lost or damaged");
  expect(await readdir(into)).toEqual([]);
  expect(lines.join("\n")).toContain(`${storageKey} has 7 bytes`);
  expect((await backup(true)).manifest.files.missing).toEqual([storageKey]);
  await expect(backup(true)).rejects.toThrow("is not empty");
  await checkBackup(folderPlace(into), { say: silent });
  await rm(path);
  await copyFile(join(scratch, "kept"), path);
});
