import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import S3rver from "s3rver";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openFiles } from "../gateway/storage/files.ts";
import { sweepFiles } from "../gateway/storage/sweep.ts";
import type { TdbReceipt } from "../gateway/tdb/tdb.rules.ts";
import { testGateway, type TestGateway } from "./gateway.ts";
import { cookiesOf, formOf, sendForm, tdbxOf } from "./tdbx.ts";

/** Files in S3-compatible object storage, on a server of that kind. */

let gateway: TestGateway;
let folder: string;
let server: S3rver;
let objects: { bucket: string; region: string; endpoint: string; accessKeyId: string; secretAccessKey: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "objects-"));
  server = new S3rver({ port: 0, address: "127.0.0.1", directory: folder, silent: true, configureBuckets: [{ name: "platform", configs: [] }] });
  const { port } = await server.run();
  objects = { bucket: "platform", region: "us-east-1", endpoint: `http://127.0.0.1:${port}`, accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  gateway = await testGateway("demo", { objects });
});
afterAll(async () => {
  await gateway?.stop();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test("a TDB of several parts goes there, comes back whole and in part, and nothing of it stays in the folder", async () => {
  const uploader = await gateway.as("uploader");
  const { facilityUuid } = await gateway.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow();
  const content = tdbxOf(facilityUuid, {}, 20_000_000);
  const before = await readdir(join(gateway.dataDir, "files/tdb"));
  const answer = await sendForm(gateway.url, "/api/v1/tdb", uploader, formOf([{ name: "a.tdbx", content }]));
  const [{ uuid, sha256 }] = answer.body as [TdbReceipt];
  expect(sha256).toBe(createHash("sha256").update(content).digest("hex"));
  expect(await readdir(join(gateway.dataDir, "files/tdb"))).toEqual(before);
  expect(await readdir(join(gateway.dataDir, "files/incoming"))).toEqual([]);
  const headers = { cookie: cookiesOf(uploader) };
  const whole = Buffer.from(await (await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, { headers })).arrayBuffer());
  expect(createHash("sha256").update(whole).digest("hex")).toBe(sha256);
  const part = await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, { headers: { ...headers, range: "bytes=9000000-9000099" } });
  expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(9_000_000, 9_000_100));

  const files = await openFiles(gateway.dataDir, objects);
  await files.storage.keep(join(gateway.dataDir, "files/tdb", before[0]!), "files/tdb/orphan.tdbx");
  expect(await sweepFiles(gateway.db, files, { keepHours: 1, afterMs: -60_000 })).toBe(1);
  const kept: string[] = [];
  for await (const { key } of files.storage.list()) kept.push(key);
  expect(kept).toEqual([`files/tdb/${uuid}.tdbx`]);
});

test("a storage that is away is told as such, and leaves nothing behind", async () => {
  const away = await testGateway("demo", { objects: { ...objects, endpoint: "http://127.0.0.1:1" } });
  const { facilityUuid } = await away.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow();
  const answer = await sendForm(away.url, "/api/v1/tdb", await away.as("uploader"), formOf([{ name: "a.tdbx", content: tdbxOf(facilityUuid) }]));
  expect(answer.status).toBe(503);
  expect(await readdir(join(away.dataDir, "files/incoming"))).toEqual([]);
  await away.stop();
});
