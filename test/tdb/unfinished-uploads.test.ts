import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { Upload } from "@tus/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { UnfinishedUpload, UploadHashes } from "../../gateway/tdb/tdb.rules.ts";
import { bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { type ObjectStore, startObjectStore } from "../storage/objectStore.ts";
import { tdbxOf, tusOf } from "../support/tdbx.ts";

/** The list of a person's unfinished uploads, and the hashes by which the file of an upload is recognised. */

const hashOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

describe.each(["a folder", "object storage"])("parts stored in %s", (kind) => {
  let gateway: TestGateway;
  let store: ObjectStore | undefined;
  let uploader: Person;
  let facilityUuid: string;
  beforeAll(async () => {
    store = kind === "object storage" ? await startObjectStore() : undefined;
    gateway = await testGateway("demo", store ? { objects: store.settings } : {});
    uploader = await gateway.as("uploader");
    facilityUuid = (await gateway.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow())
      .facilityUuid;
  });
  afterAll(async () => {
    await gateway?.stop();
    await store?.stop();
  });
  const mine = async (person = uploader) => bodyOf<UnfinishedUpload[]>(await person.get("/api/v1/tdb/resumable"));

  test("an unfinished upload is listed for its sender only, with the received bytes, by REST and GraphQL, until it is finished or cancelled", async () => {
    const content = tdbxOf(facilityUuid, {}, 700_000);
    const tus = tusOf(gateway.url, uploader);
    const path = await tus.create(content.length, "first.tdbx");
    const uuid = path.split("/").at(-1)!;
    expect(await mine()).toMatchObject([
      { uuid, fileName: "first.tdbx", size: content.length, received: 0, lastByteAt: null },
    ]);
    await tus.patch(path, 0, content.subarray(0, 300_000));
    await tus.patch(path, 300_000, content.subarray(300_000, 400_000));
    const [upload] = await mine();
    expect(upload).toMatchObject({ uuid, received: 400_000 });
    const [began, last, end] = [upload!.beganAt, upload!.lastByteAt!, upload!.expiresAt].map((text) =>
      Date.parse(text),
    );
    expect(last).toBeGreaterThanOrEqual(began! - 1000);
    expect(end! - last!).toBe(168 * 60 * 60 * 1000);
    const other = await tus.create(10, "second.tdbx");
    const { data } = await uploader.graphql(
      "{ unfinishedUploads { uuid fileName size received beganAt lastByteAt expiresAt sha256 } }",
    );
    expect(data.unfinishedUploads).toEqual(await mine());
    expect(data.unfinishedUploads.map(({ fileName }: { fileName: string }) => fileName)).toEqual([
      "second.tdbx",
      "first.tdbx",
    ]);

    const admin = await gateway.as("admin");
    expect(await mine(admin)).toEqual([]);
    expect((await admin.graphql("{ unfinishedUploads { uuid } }")).data).toEqual({ unfinishedUploads: [] });
    expect((await admin.get(`${path}/hashes`)).status).toBe(404);
    expect((await (await gateway.as("viewer")).get("/api/v1/tdb/resumable")).status).toBe(403);
    expect((await fetch(`${gateway.url}/api/v1/tdb/resumable`)).status).toBe(401);

    expect((await tus.call("DELETE", other, {})).status).toBe(204);
    await tus.patch(path, 400_000, content.subarray(400_000));
    expect(await mine()).toMatchObject([{ uuid, received: content.length }]);
    expect((await tus.finish(path)).body).toMatchObject({ accepted: true, sha256: hashOf(content) });
    expect(await mine()).toEqual([]);
  });

  test("a stored upload is listed for its sender by size, so that a file with a lost receipt is not sent again", async () => {
    const content = tdbxOf(facilityUuid, {}, 710_000);
    const tus = tusOf(gateway.url, uploader);
    const path = await tus.create(content.length, "lost.tdbx");
    const uuid = path.split("/").at(-1)!;
    await tus.patch(path, 0, content);
    const ofSize = (person = uploader) => person.get(`/api/v1/tdb/resumable?size=${content.length}`);
    expect((await ofSize()).body).toMatchObject([{ uuid, received: content.length, sha256: null }]);
    expect((await uploader.get(`/api/v1/tdb/resumable?size=${content.length + 1}`)).body).toEqual([]);
    const { body: receipt } = await tus.finish(path);
    expect((await ofSize()).body).toMatchObject([
      { uuid, fileName: "lost.tdbx", size: content.length, received: content.length, sha256: hashOf(content) },
    ]);
    const { data } = await uploader.graphql(
      `{ unfinishedUploads(size: ${content.length}) { uuid fileName size received beganAt lastByteAt expiresAt sha256 } }`,
    );
    expect(data.unfinishedUploads).toEqual((await ofSize()).body);
    const { hashes } = bodyOf<UploadHashes>(await uploader.get(`${path}/hashes`));
    expect(hashes).toHaveLength(3);
    for (const { start, end, sha256 } of hashes) expect(sha256).toBe(hashOf(content.subarray(start, end)));
    expect(await tus.head(path)).toEqual({ status: 200, offset: content.length });
    expect((await tus.finish(path)).body).toEqual(receipt);
    // It is not listed for anybody else.
    const admin = await gateway.as("admin");
    expect((await ofSize(admin)).body).toEqual([]);
    expect((await admin.get(`${path}/hashes`)).status).toBe(404);
    expect((await tusOf(gateway.url, admin).head(path)).status).toBe(404);
    expect((await uploader.get("/api/v1/tdb/resumable?size=0")).status).toBe(422);
  });

  test("parts left by a gateway that was killed after it stored the file are not listed as unfinished, and are removed", async () => {
    const content = tdbxOf(facilityUuid);
    const tus = tusOf(gateway.url, uploader);
    const path = await tus.create(content.length);
    const uuid = path.split("/").at(-1)!;
    await tus.patch(path, 0, content);
    const { parts } = await openFiles(gateway.dataDir, store?.settings);
    const info = (await parts.readNote(uuid, "info")) as { size: number; metadata: Record<string, string> };
    const { body: receipt } = await tus.finish(path);
    // Puts the parts back as they were before.
    await parts.dataStore.create(new Upload({ id: uuid, offset: 0, ...info }));
    await parts.dataStore.write(Readable.from([content]), uuid, 0);
    expect(await parts.sizeOf(uuid)).toBe(content.length);
    expect(await mine()).toEqual([]);
    expect(
      bodyOf<UnfinishedUpload[]>(await uploader.get(`/api/v1/tdb/resumable?size=${content.length}`)).filter(
        (upload) => upload.uuid === uuid,
      ),
    ).toHaveLength(1);
    expect((await tus.finish(path)).body).toEqual(receipt);
    expect(await parts.sizeOf(uuid)).toBeUndefined();
    expect(await parts.readNote(uuid, "info")).toBeUndefined();
  });

  test("the full offset is answered while an upload is being finished and afterwards, also of a rejected file", async () => {
    const tus = tusOf(gateway.url, uploader);
    for (const content of [tdbxOf(facilityUuid, {}, 300_000), Buffer.from("A letter. ".repeat(30_000))]) {
      const path = await tus.create(content.length);
      await tus.patch(path, 0, content);
      const asked = Array.from({ length: 30 }, () => tus.head(path));
      const [{ body }, ...heads] = await Promise.all([tus.finish(path), ...asked]);
      heads.push(await tus.head(path));
      expect(heads).toEqual(heads.map(() => ({ status: 200, offset: content.length })));
      expect((await tus.finish(path)).body).toEqual(body);
    }
  });

  test("the hashes match the file's bytes: the first, the last, some between, and the announced end", async () => {
    const content = tdbxOf(facilityUuid, {}, 9_000_000);
    const tus = tusOf(gateway.url, uploader);
    const end = hashOf(content.subarray(-262_144));
    const metadata = [
      ["filename", "a.tdbx"],
      ["end", end],
    ]
      .map(([key, value]) => `${key} ${Buffer.from(value!).toString("base64")}`)
      .join(",");
    const begun = await tus.call("POST", "/api/v1/tdb/resumable", {
      "upload-length": String(content.length),
      "upload-metadata": metadata,
    });
    const path = begun.headers.get("location")!;
    for (const [from, to] of [
      [0, 5_000_001],
      [5_000_001, 6_500_000],
    ] as const)
      await tus.patch(path, from, content.subarray(from, to));
    const { size, received, hashes } = bodyOf<UploadHashes>(await uploader.get(`${path}/hashes`));
    expect([size, received, hashes.length]).toEqual([content.length, 6_500_000, 17]);
    for (const { start, end: to, sha256 } of hashes)
      expect(sha256, `${start}`).toBe(hashOf(content.subarray(start, to)));
    expect(hashes[0]).toMatchObject({ start: 0, end: 262_144 });
    expect(hashes.at(-2)).toMatchObject({ end: 6_500_000 });
    expect(hashes.at(-1)).toMatchObject({ end: content.length, sha256: end });
    await tus.call("DELETE", path, {});
  });

  test("a file that differs from the digest given by its sender is rejected, and nothing of it is stored", async () => {
    const tus = tusOf(gateway.url, uploader);
    const finish = async (path: string, digest: string) => {
      const { status, text } = await tus.call("POST", `${path}/finish`, { "repr-digest": digest });
      return { status, body: JSON.parse(text) as object };
    };
    const digestOf = (content: Buffer) => `sha-256=:${createHash("sha256").update(content).digest("base64")}:`;
    const [content, other] = [tdbxOf(facilityUuid), tdbxOf(facilityUuid)];
    const send = async (file: Buffer) => {
      const path = await tus.create(file.length);
      await tus.patch(path, 0, file);
      return path;
    };
    const mixed = await send(content);
    expect((await finish(mixed, "md5=nonsense")).status).toBe(422);
    expect((await finish(mixed, digestOf(other))).body).toMatchObject({
      accepted: false,
      error: { message: expect.stringMatching(/not the file that was sent/) },
    });
    expect(
      await gateway.db.selectFrom("tdb").select("tdbUuid").where("sha256", "=", hashOf(content)).execute(),
    ).toEqual([]);
    expect((await finish(await send(content), digestOf(content))).body).toMatchObject({
      accepted: true,
      sha256: hashOf(content),
    });
    expect(await mine()).toEqual([]);
  });

  test("an upload is refused with 409 if its owner is not the person who is signed in", async () => {
    const { body } = await (await gateway.as("admin")).get("/api/v1/user/me");
    const metadata = `filename ${Buffer.from("a.tdbx").toString("base64")},owner ${Buffer.from((body as { uuid: string }).uuid).toString("base64")}`;
    const begin = (person: Person) =>
      tusOf(gateway.url, person).call("POST", "/api/v1/tdb/resumable", {
        "upload-length": "5",
        "upload-metadata": metadata,
      });
    expect((await begin(uploader)).status).toBe(409);
    const admin = await gateway.as("admin");
    const { status, headers } = await begin(admin);
    expect(status).toBe(201);
    await tusOf(gateway.url, admin).call("DELETE", headers.get("location")!, {});
  });
});

test("nothing is removed before the outcome is stored: a sender of a rejected file asks, and finishes again", async () => {
  const gateway = await testGateway("demo", {}, [/cannot store files/, /"route":"[^"]+finish".+"status":503/]);
  try {
    const content = Buffer.from("A letter. ".repeat(3000));
    const tus = tusOf(gateway.url, await gateway.as("uploader"));
    const path = await tus.create(content.length);
    await tus.patch(path, 0, content);
    // The disk refuses the note of the outcome, as if the gateway were killed at this moment.
    const blocked = join(gateway.dataDir, "files/resumable", `${path.split("/").at(-1)!}.outcome.new`);
    await mkdir(blocked);
    expect((await tus.finish(path)).status).toBe(503);
    expect(await tus.head(path)).toEqual({ status: 200, offset: content.length });
    await rm(blocked, { recursive: true });
    const rejected = { accepted: false, error: { message: expect.stringMatching(/no TDBX file/) } };
    expect((await tus.finish(path)).body).toMatchObject(rejected);
    expect(await tus.head(path)).toEqual({ status: 200, offset: content.length });
  } finally {
    await gateway.stop();
  }
});
