import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import { sweepFiles } from "../../gateway/storage/sweep.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import type { TdbReceipt } from "../../gateway/tdb/tdb.rules.ts";
import { bodyOf, type GraphqlError } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import {
  cookiesOf,
  formOf,
  graphqlFormOf,
  type SentFile,
  sendForm,
  tdbxOf,
  tusOf,
  uploadMutation,
} from "../support/tdbx.ts";

const gateway = await gatewayOfFile("demo", {
  uploads: { perMachine: 16, idleSeconds: 1, mostMinutes: 30, perUser: 3, atOnce: 5 },
});
const uploader = await gateway.as("uploader");
const facility: { facilityUuid: string; facilityName: string; hmisCode: string } = (await gateway.db
  .selectFrom("facility")
  .select(["facilityUuid", "facilityName", "hmisCode"])
  .where("hmisCode", "is not", null)
  .orderBy("facilityUuid")
  .executeTakeFirstOrThrow()) as typeof facility;

const hashOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
const send = (files: SentFile[], person = uploader) => sendForm(gateway.url, "/api/v1/tdb", person, formOf(files));
const filesIn = async (folder: string) => (await readdir(join(gateway.dataDir, "files", folder))).length;
const rows = async () =>
  (
    await gateway.db
      .selectFrom("tdb")
      .select(sql<number>`count(*)`.as("n"))
      .executeTakeFirstOrThrow()
  ).n;
/** What is left behind: files of unfinished uploads, and the number of stored files without a row. */
const leftovers = async () => ({
  incoming: await filesIn("incoming"),
  resumable: await filesIn("resumable"),
  unpaired: (await filesIn("tdb")) - (await rows()),
});
const nothingLeft = { incoming: 0, resumable: 0, unpaired: 0 };
let before = 0;
beforeEach(async () => {
  before = await rows();
});

describe("POST /tdb", () => {
  test("stores a file and returns its receipt", async () => {
    const content = tdbxOf(facility.facilityUuid, {
      computers: [
        { cpuCores: 4, os64Bit: true },
        { cpuCores: 4, os64Bit: true },
      ],
    });
    const answer = await send([{ name: "site.tdbx", content }]);
    expect(answer.status).toBe(200);
    const [receipt] = bodyOf<TdbReceipt[]>(answer);
    expect(receipt).toMatchObject({
      fileName: "site.tdbx",
      accepted: true,
      duplicate: false,
      facilityUuid: facility.facilityUuid,
      facility: facility.facilityName,
      sha256: hashOf(content),
      size: content.length,
      error: null,
    });
    expect(receipt!.reference).toBeGreaterThan(0);
    const row = await gateway.db
      .selectFrom("tdb")
      .selectAll()
      .where("tdbUuid", "=", receipt!.uuid!)
      .executeTakeFirstOrThrow();
    expect(hashOf(await readFile(join(gateway.dataDir, row.storageKey)))).toBe(receipt!.sha256);
    const rolledUp = await gateway.db
      .selectFrom("tdbComputer")
      .select("computers")
      .where("tdbUuid", "=", receipt!.uuid!)
      .execute();
    expect(rolledUp).toEqual([{ computers: 2 }]);
    const latest = await gateway.db
      .selectFrom("tdbRollup")
      .select("period")
      .where("facilityUuid", "=", facility.facilityUuid)
      .execute();
    expect(new Set(latest.map(({ period }) => period))).toEqual(new Set(["month", "quarter", "year"]));
    expect(await leftovers()).toEqual(nothingLeft);
    const list = await uploader.get(`/api/v1/tdb/facility/${facility.facilityUuid}`);
    expect(bodyOf<{ uuid: string }[]>(list)[0]!.uuid).toBe(receipt!.uuid);
  });

  test("returns the earlier upload as a duplicate if the same content is uploaded again, and stores nothing", async () => {
    const content = tdbxOf(facility.facilityUuid);
    const [first] = bodyOf<TdbReceipt[]>(await send([{ name: "a.tdbx", content }]));
    const again = await send([
      { name: "b.tdbx", content },
      { name: "c.tdbx", content },
    ]);
    expect(again.status).toBe(200);
    for (const receipt of bodyOf<TdbReceipt[]>(again))
      expect(receipt).toMatchObject({
        accepted: true,
        duplicate: true,
        uuid: first!.uuid,
        reference: first!.reference,
      });
    expect(await rows()).toBe(before + 1);
    expect(await leftovers()).toEqual(nothingLeft);
  });

  test("stores the same content once if it is uploaded several times at the same time", async () => {
    const content = tdbxOf(facility.facilityUuid);
    const answers = await Promise.all([1, 2, 3].map((n) => send([{ name: `${n}.tdbx`, content }])));
    const receipts = answers.flatMap(({ body }) => body as TdbReceipt[]);
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(receipts.map(({ uuid }) => uuid)).size).toBe(1);
    expect(await rows()).toBe(before + 1);
    expect(await leftovers()).toEqual(nothingLeft);
  });

  test("finds the facility by its HMIS code too", async () => {
    const answer = await send([
      { name: "code.tdbx", content: tdbxOf("", { facility: { hmisCode: facility.hmisCode } }) },
    ]);
    expect(bodyOf<TdbReceipt[]>(answer)[0]!.facilityUuid).toBe(facility.facilityUuid);
  });

  test("refuses a form without files, a form with an unknown field, and a body that is not a form", async () => {
    const empty = await sendForm(gateway.url, "/api/v1/tdb", uploader, new FormData());
    expect([empty.status, bodyOf<{ errors: unknown[] }>(empty).errors]).toMatchObject([422, [{ path: "files" }]]);
    const other = await sendForm(
      gateway.url,
      "/api/v1/tdb",
      uploader,
      formOf([{ name: "a.tdbx", content: tdbxOf(facility.facilityUuid) }], "file"),
    );
    expect([other.status, bodyOf<{ errors: unknown[] }>(other).errors]).toMatchObject([422, [{ path: "file" }]]);
    expect((await uploader.call("POST", "/api/v1/tdb", {})).status).toBe(415);
    expect(await leftovers()).toEqual(nothingLeft);
  });

  /** A raw request: sends the headers; `write` sends the bytes. */
  const raw = (headers: Record<string, string | number>, write: (request: ReturnType<typeof httpRequest>) => void) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest(
        `${gateway.url}/api/v1/tdb`,
        { method: "POST", headers: { cookie: cookiesOf(uploader), ...headers } },
        (response) => {
          let text = "";
          response
            .on("data", (chunk) => (text += chunk))
            .on("end", () => resolve({ status: response.statusCode!, text }));
        },
      );
      request.on("error", reject);
      write(request);
    });
  const type = "multipart/form-data; boundary=b";
  const head =
    '--b\r\nContent-Disposition: form-data; name="files"; filename="a.tdbx"\r\nContent-Type: application/octet-stream\r\n\r\n';

  test("returns 429 if a person has too many uploads at the same time", async () => {
    const open = [1, 2, 3].map(() =>
      raw({ "content-type": type, "content-length": 1_000_000 }, (request) => request.write(`${head}PK`)),
    );
    await expect.poll(() => filesIn("incoming")).toBe(3);
    const fourth = await send([{ name: "a.tdbx", content: tdbxOf(facility.facilityUuid) }]);
    expect(fourth.status).toBe(429);
    expect(fourth.headers.get("retry-after")).toBe("30");
    await Promise.all(open);
    await expect
      .poll(async () => (await send([{ name: "a.tdbx", content: tdbxOf(facility.facilityUuid) }])).status)
      .toBe(200);
    await expect.poll(() => filesIn("incoming")).toBe(0);
  });
});

describe("a stored TDB", () => {
  test("can be downloaded completely and in parts, and downloads are recorded in the audit", async () => {
    const content = tdbxOf(facility.facilityUuid, {}, 5000);
    const [{ uuid }] = bodyOf<[TdbReceipt]>(await send([{ name: "back again.tdbx", content }]));
    const headers = { cookie: cookiesOf(uploader) };
    const complete = await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, { headers });
    expect(hashOf(Buffer.from(await complete.arrayBuffer()))).toBe(hashOf(content));
    expect(complete.headers.get("repr-digest")).toBe(
      `sha-256=:${createHash("sha256").update(content).digest("base64")}:`,
    );
    expect(complete.headers.get("content-disposition")).toContain('attachment; filename="back again.tdbx"');
    expect(complete.headers.get("content-security-policy")).toContain("sandbox");
    expect(complete.headers.get("x-content-type-options")).toBe("nosniff");
    const part = await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, {
      headers: { ...headers, range: "bytes=10-19" },
    });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 10-19/${content.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(10, 20));
    expect(
      (await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, { headers: { ...headers, range: "bytes=999999-" } }))
        .status,
    ).toBe(416);
    const known = await fetch(`${gateway.url}/api/v1/tdb/file/${uuid}`, {
      headers: { ...headers, "if-none-match": complete.headers.get("etag")! },
    });
    expect(known.status).toBe(304);
    expect((await (await gateway.as("viewer")).get(`/api/v1/tdb/file/${uuid}`)).status).toBe(403);
    const audit = await gateway.db.selectFrom("auditEvent").select("action").where("subjectId", "=", uuid!).execute();
    expect(audit.map(({ action }) => action)).toEqual([
      "tdb.upload",
      "tdb.fetch",
      "tdb.fetch",
      "tdb.fetch",
      "tdb.fetch",
    ]);
  });
});

describe("the GraphQL mutation uploadTdbs", () => {
  const mutate = (files: SentFile[], person = uploader, text = uploadMutation) =>
    sendForm(gateway.url, "/graphql", person, graphqlFormOf(text, files));

  test("stores good files and reports bad ones, like REST", async () => {
    const content = tdbxOf(facility.facilityUuid);
    const answer = await mutate([
      { name: "a.tdbx", content },
      { name: "b.txt", content },
      { name: "c.tdbx", content: Buffer.from("?") },
    ]);
    const { receipts, errors } = bodyOf<{ data: { uploadTdbs: { receipts: object[]; errors: { path: string }[] } } }>(
      answer,
    ).data.uploadTdbs;
    expect(receipts[0]).toMatchObject({
      accepted: true,
      sha256: hashOf(content),
      tdb: { facility: { facilityName: facility.facilityName } },
    });
    expect(errors.map(({ path }) => path)).toEqual(["input.files.1", "input.files.2"]);
    expect(await rows()).toBe(before + 1);
    expect(await leftovers()).toEqual(nothingLeft);
  });

  test("refuses a person without the right and a wrong operation, and stores nothing, also if the operation reads no file", async () => {
    const file = { name: "a.tdbx", content: tdbxOf(facility.facilityUuid, {}, 3_000_000) };
    const denied = await mutate([file], await gateway.as("viewer"));
    expect(denied.text).toContain("You dont have the rights");
    type Outcome = { data?: { __typename: string }; errors?: GraphqlError[] };
    const outcomeOf = (text: string) =>
      mutate([file], uploader, text).then(
        (answer) =>
          bodyOf<Outcome>(answer).errors?.map(({ extensions }) => extensions.code) ?? bodyOf<Outcome>(answer).data,
        (error: Error) => error.message,
      );
    // The gateway does not wait for the file, so it may close the connection before the answer is read.
    const broken = "fetch failed";
    expect([["BAD_VARIABLE"], broken]).toContainEqual(await outcomeOf("query ($files: [Upload!]) { __typename }"));
    expect([["BAD_QUERY"], broken]).toContainEqual(await outcomeOf("mutation { nope }"));
    expect([{ __typename: "Query" }, broken]).toContainEqual(await outcomeOf("{ __typename }"));
    expect(await rows()).toBe(before);
    await expect.poll(leftovers).toEqual(nothingLeft);
  });
});

describe("resumable uploads", () => {
  const create = (content: Buffer, name = "big.tdbx", person = uploader) =>
    tusOf(gateway.url, person).announce(content.length, name);
  const patch = (path: string, offset: number, body: Buffer, person = uploader) =>
    tusOf(gateway.url, person).patch(path, offset, body);
  const call = (method: string, path: string, headers: Record<string, string>, body?: Buffer, person = uploader) =>
    tusOf(gateway.url, person).call(method, path, headers, body);
  const finish = (path: string, person = uploader) => tusOf(gateway.url, person).finish(path);

  test("continue from the last byte, and return the same receipt to every request to finish", async () => {
    const content = tdbxOf(facility.facilityUuid, {}, 300_000);
    const path = (await create(content)).headers.get("location")!;
    expect((await patch(path, 0, content.subarray(0, 100_000))).status).toBe(204);
    expect((await finish(path)).status).toBe(409);
    expect((await patch(path, 0, content.subarray(0, 10))).status).toBe(409);
    const known = await call("HEAD", path, {});
    expect(known.headers.get("upload-offset")).toBe("100000");
    expect((await patch(path, 100_000, content.subarray(100_000))).status).toBe(204);
    const [first, second] = await Promise.all([finish(path), finish(path)]);
    expect(first.body).toMatchObject({
      accepted: true,
      duplicate: false,
      sha256: hashOf(content),
      fileName: "big.tdbx",
    });
    expect(second.body).toEqual(first.body);
    expect((await finish(path)).body).toEqual(first.body);
    expect(await rows()).toBe(before + 1);
    // A sender that lost the answer of `finish` need not send the file again.
    expect(await tusOf(gateway.url, uploader).head(path)).toEqual({ status: 200, offset: content.length });
  });

  test("do not use up the limit of concurrent uploads if they are cut off again and again", async () => {
    const path = (await create(Buffer.alloc(500_000))).headers.get("location")!;
    // More cuts than uploads are allowed at the same time for one person (3) and for all people (5), as set above.
    for (let cut = 0; cut < 7; cut += 1) {
      const { offset } = await tusOf(gateway.url, uploader).head(path);
      await new Promise<void>((resolve) => {
        const headers = {
          cookie: cookiesOf(uploader),
          "tus-resumable": "1.0.0",
          "upload-offset": offset,
          "content-type": "application/offset+octet-stream",
          "content-length": 100_000,
        };
        const sending = httpRequest(gateway.url + path, { method: "PATCH", headers });
        sending.on("error", () => {}).on("close", resolve);
        sending.write(Buffer.alloc(20_000));
        setTimeout(() => sending.destroy(), 100);
      });
    }
    await expect.poll(async () => (await tusOf(gateway.url, uploader).head(path)).status).toBe(200);
    expect((await call("DELETE", path, {})).status).toBe(204);
  });

  test("report why a complete file was rejected, and keep no TDB and nothing of the file", async () => {
    const content = Buffer.from("not what it says");
    const path = (await create(content)).headers.get("location")!;
    await patch(path, 0, content);
    expect((await finish(path)).body).toMatchObject({
      accepted: false,
      error: { message: expect.stringMatching(/no TDBX file/) },
    });
    expect((await finish(path)).body).toMatchObject({ accepted: false });
    expect(await rows()).toBe(before);
    // Only the receipt stays, for further requests to finish.
    const uuid = path.split("/").at(-1)!;
    expect((await readdir(join(gateway.dataDir, "files/resumable"))).filter((name) => name.startsWith(uuid))).toEqual([
      `${uuid}.outcome`,
    ]);
    expect(await leftovers()).toMatchObject({ incoming: 0, unpaired: 0 });
  });

  test("can be used by their sender only, and need the right", async () => {
    const content = tdbxOf(facility.facilityUuid);
    const path = (await create(content)).headers.get("location")!;
    const admin = await gateway.as("admin");
    expect((await call("HEAD", path, {}, undefined, admin)).status).toBe(404);
    expect((await patch(path, 0, content, admin)).status).toBe(404);
    expect((await finish(path, admin)).status).toBe(404);
    expect((await create(content, "a.tdbx", await gateway.as("viewer"))).status).toBe(403);
    expect((await call("DELETE", path, {})).status).toBe(204);
    expect((await finish(path)).status).toBe(404);
  });

  test("report version, extensions and maximum size to OPTIONS", async () => {
    const { status, headers } = await call("OPTIONS", "/api/v1/tdb/resumable", {});
    expect([status, headers.get("tus-version"), headers.get("tus-max-size")]).toEqual([204, "1.0.0", "32212254720"]);
    expect(headers.get("tus-extension")).toContain("creation");
  });

  test("refuse a file that is too large, empty or wrongly named before a byte is sent", async () => {
    const { announce } = tusOf(gateway.url, uploader);
    expect((await announce(33 * 1024 ** 3, "a.tdbx")).status).toBe(413);
    expect((await announce(10, "a.zip")).status).toBe(422);
    expect((await announce(0, "a.tdbx")).status).toBe(422);
    const path = (await announce(10, "a.tdbx")).headers.get("location")!;
    expect((await patch(path, 0, Buffer.alloc(20))).status).toBe(413);
  });
});

test("the sweep removes files without a row and abandoned uploads, and nothing else", async () => {
  const files = await openFiles(gateway.dataDir);
  await writeFile(join(gateway.dataDir, "files/tdb/0190aaaa-0000-7000-a000-000000000000.tdbx"), "orphan");
  await writeFile(join(gateway.dataDir, "files/incoming/x.part"), "half");
  const count = await rows();
  expect(await sweepFiles(gateway.db, files, { keepHours: 1 })).toBe(0);
  expect(await sweepFiles(gateway.db, files, { keepHours: 0, afterMs: -1000 })).toBeGreaterThanOrEqual(2);
  expect(await rows()).toBe(count);
  expect(await leftovers()).toEqual(nothingLeft);
});
