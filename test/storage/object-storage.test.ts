import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { connect } from "../../db/engine/connect.ts";
import { sharedLocks } from "../../db/engine/lock.ts";
import { createServer } from "../../gateway/http/server.ts";
import { openBucket } from "../../gateway/storage/bucket.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { sweepFiles } from "../../gateway/storage/sweep.ts";
import type { TdbReceipt } from "../../gateway/tdb/tdb.rules.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { type ObjectStore, startObjectStore } from "./objectStore.ts";
import { cookiesOf, formOf, sendForm, tdbxOf, tusOf } from "../support/tdbx.ts";

/** Files in S3-compatible object storage, with the server of objectStore.ts. */

let gateway: TestGateway;
let store: ObjectStore;
let objects: ObjectStore["settings"];
beforeAll(async () => {
  store = await startObjectStore();
  objects = store.settings;
  gateway = await testGateway("demo", { objects });
});
afterAll(async () => {
  await gateway?.stop();
  await store?.stop();
});

test("a TDB of several parts is stored there, can be read completely and in part, and leaves nothing in the folder", async () => {
  const uploader = await gateway.as("uploader");
  const { facilityUuid } = await gateway.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow();
  const content = tdbxOf(facilityUuid, {}, 20_000_000);
  const before = await readdir(join(gateway.dataDir, "files/tdb"));
  const answer = await sendForm(gateway.url, "/api/v1/tdb", uploader, formOf([{ name: "a.tdbx", content }]));
  const [{ uuid, sha256 }] = bodyOf<[TdbReceipt]>(answer);
  expect(sha256).toBe(createHash("sha256").update(content).digest("hex"));
  expect(await readdir(join(gateway.dataDir, "files/tdb"))).toEqual(before);
  expect(await readdir(join(gateway.dataDir, "files/incoming"))).toEqual([]);
  const headers = { cookie: cookiesOf(uploader) };
  const downloaded = Buffer.from(
    await (await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, { headers })).arrayBuffer(),
  );
  expect(createHash("sha256").update(downloaded).digest("hex")).toBe(sha256);
  const part = await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, {
    headers: { ...headers, range: "bytes=9000000-9000099" },
  });
  expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(9_000_000, 9_000_100));

  const files = await openFiles(gateway.dataDir, objects);
  await files.storage.keep(join(gateway.dataDir, "files/tdb", before[0]!), "files/tdb/orphan.tdbx");
  expect(await sweepFiles(gateway.db, files, { keepHours: 1, afterMs: -60_000 })).toBe(1);
  const kept: string[] = [];
  for await (const { key } of files.storage.list()) kept.push(key);
  expect(kept).toEqual([`files/tdb/${uuid}.tdbx`]);
});

test("a listing of several pages is read to its end", async () => {
  const bucket = openBucket(objects);
  const keys = Array.from({ length: 250 }, (_, index) => `pages/${String(index).padStart(3, "0")}`);
  for (const key of keys) await bucket.write(key, key);
  const listed: string[] = [];
  for await (const { key, size } of bucket.list("pages/")) if (size === key.length) listed.push(key);
  expect(listed).toEqual(keys);
});

test("a storage that cannot be reached is answered with 503, and no file stays behind", async () => {
  const away = await testGateway("demo", { objects: { ...objects, endpoint: "http://127.0.0.1:1" } }, [
    /ECONNREFUSED 127\.0\.0\.1:1\b/,
    /"path":"\/api\/v1\/tdb","status":503/,
  ]);
  const { facilityUuid } = await away.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow();
  const answer = await sendForm(
    away.url,
    "/api/v1/tdb",
    await away.as("uploader"),
    formOf([{ name: "a.tdbx", content: tdbxOf(facilityUuid) }]),
  );
  expect(answer.status).toBe(503);
  expect(await readdir(join(away.dataDir, "files/incoming"))).toEqual([]);
  await away.stop();
});

/** A second gateway on the first one's database. If the files are in object storage, it has its own folder. */
async function beside(first: TestGateway, options: { dataDir: string; objects?: typeof objects }) {
  const db = connect(first.database.connection, "Africa/Lusaka", () => {});
  const server = await createServer({ db, timeZone: "Africa/Lusaka", ...options });
  await server.listen({ port: 0, host: "127.0.0.1" });
  return {
    db,
    url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    stop: async () => {
      await server.close();
      await db.destroy();
    },
  };
}

describe.each(["object storage", "one folder"])("two gateways that share %s", (kind) => {
  let first: TestGateway;
  let second: Awaited<ReturnType<typeof beside>>;
  let facilityUuid: string;
  let dataDir: string;
  beforeAll(async () => {
    const shared = kind === "object storage" ? { objects } : {};
    first = kind === "object storage" ? gateway : await testGateway();
    dataDir = kind === "object storage" ? await mkdtemp(join(tmpdir(), "platform-second-")) : first.dataDir;
    second = await beside(first, { dataDir, ...shared });
    facilityUuid = (await first.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow())
      .facilityUuid;
  });
  afterAll(async () => {
    await second?.stop();
    if (kind === "one folder") await first?.stop();
    else await rm(dataDir, { recursive: true, force: true });
  });
  const parts = async () => {
    const files = await openFiles(first.dataDir, kind === "object storage" ? objects : undefined);
    return files.parts;
  };

  test("continue an upload that the other began, and finish it once", async () => {
    const uploader = await first.as("uploader");
    const content = tdbxOf(facilityUuid, {}, 11_000_000);
    const [here, there] = [tusOf(first.url, uploader), tusOf(second.url, uploader)];
    const path = await here.create(content.length);
    const cuts = [0, 1, 5_000_000, 5_000_001, 9_500_000, content.length];
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const tus = index % 2 ? there : here;
      expect((await tus.head(path)).offset, `part ${index}`).toBe(from);
      expect((await tus.patch(path, from, content.subarray(from, cuts[index + 1]))).status).toBe(204);
    }
    const answers = await Promise.all([there, here, there].map((tus) => tus.finish(path)));
    const receipts = answers.filter(({ status }) => status === 200).map(({ body }) => body as TdbReceipt);
    expect(receipts.length).toBeGreaterThan(0);
    for (const receipt of [...receipts, bodyOf<TdbReceipt>(await here.finish(path))])
      expect(receipt).toMatchObject({ accepted: true, sha256: createHash("sha256").update(content).digest("hex") });
    const stored = await fetch(`${second.url}/api/v1/tdb/file/${receipts[0]!.uuid}`, {
      headers: { cookie: cookiesOf(uploader) },
    });
    expect(Buffer.from(await stored.arrayBuffer()).equals(content)).toBe(true);
    expect(
      await first.db.selectFrom("tdb").select("tdbUuid").where("sha256", "=", receipts[0]!.sha256!).execute(),
    ).toHaveLength(1);
    expect(await there.head(path)).toEqual({ status: 200, offset: content.length });
    expect(await (await parts()).removeStale(-60_000)).toBe(1); // the outcome of the upload
  });

  test("let one request at a time write to an upload: a later one ends the earlier one, at either gateway", async () => {
    const uploader = await first.as("uploader");
    const content = tdbxOf(facilityUuid, {}, 1_000_000);
    const [here, there] = [tusOf(first.url, uploader), tusOf(second.url, uploader)];
    const path = await here.create(content.length);
    // A connection that broke without an error: the first half has arrived, and the gateway waits for the rest.
    const broken = request(first.url + path, {
      method: "PATCH",
      headers: {
        cookie: cookiesOf(uploader),
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
        "content-length": content.length,
      },
    });
    broken.on("error", () => {});
    broken.write(content.subarray(0, 500_000));
    const isFree = async () => {
      const giveBack = await sharedLocks(second.db).tryTake(`upload ${path.split("/").at(-1)}`);
      await giveBack?.();
      return giveBack !== undefined;
    };
    await expect.poll(isFree).toBe(false);
    await expect.poll(async () => (await there.head(path)).offset).toBe(500_000);
    expect((await there.patch(path, 500_000, content.subarray(500_000))).status).toBe(204);
    broken.destroy();
    expect((await there.finish(path)).body).toMatchObject({ accepted: true, size: content.length });
    await (await parts()).removeStale(-60_000);
  });

  test("forget an upload that received nothing for a long time, and no other", async () => {
    const uploader = await first.as("uploader");
    const tus = tusOf(second.url, uploader);
    const path = await tus.create(5000);
    await tus.patch(path, 0, Buffer.alloc(1000));
    expect(await (await parts()).removeStale(60_000)).toBe(0);
    expect((await tus.head(path)).offset).toBe(1000);
    expect(await (await parts()).removeStale(-60_000)).toBe(2);
    expect((await tus.head(path)).status).toBe(404);
  });
});

test("a lock is held by one session only, can be requested from its holder, and is free again when that session is gone", async () => {
  const other = connect(gateway.database.connection, "UTC", () => {});
  const [here, there] = [sharedLocks(gateway.db), sharedLocks(other)];
  let requests = 0;
  const giveBack = await here.tryTake("a", () => (requests += 1));
  expect(await here.tryTake("a")).toBeUndefined();
  expect(await there.tryTake("a")).toBeUndefined();
  await there.ask("a");
  await expect.poll(() => requests).toBe(1);
  await giveBack!();
  expect(await there.tryTake("a", () => (requests += 10))).toBeDefined();
  await gateway.sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(() => requests).toBe(11);
  const again = await here.tryTake("a");
  expect(again).toBeDefined();
  await again!();
  await other.destroy();
});
