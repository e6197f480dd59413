import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

import { beforeAll, expect, test } from "vitest";

import { bodyOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { startSender } from "../support/sender.ts";
import { formOf, sendFormBy, tdbxOf, tusOf } from "../support/tdbx.ts";

/**
 * A file that the sender may not send is refused early: when the upload begins, if it names the facility, else after
 * the first bytes of the file.
 */

let secret: string;
let own: Facility;
let other: Facility;
let reason: string;
type Facility = { facilityUuid: string; facilityName: string; hmisCode: string };
const resumable = "/api/v1/tdb/resumable";
const gigabyte = 1024 ** 3;

const gateway = await gatewayOfFile();
beforeAll(async () => {
  const rows =
    await gateway.sql<Facility>`select facility_uuid, facility_name, hmis_code from facility where hmis_code is not null order by facility_uuid limit 2`;
  [own, other] = rows as [Facility, Facility];
  reason = `It is of another facility: this credential sends the TDBs of ${own.facilityName} only.`;
  const days = await gateway.sql<{ day: string }>`select (current_date + 30)::text as day`;
  const admin = await gateway.as("admin");
  const issued = await admin.call("POST", "/api/v1/siteCredential", {
    facilities: [own.facilityUuid],
    expiryDate: days[0]!.day,
  });
  secret = bodyOf(issued)[0].secret;
});

const { call: anyCall } = tusOf("", { cookies: new Map() } as Person);
const call: typeof anyCall = (method, path, headers, body) =>
  anyCall(method, gateway.url + path, { authorization: `Bearer ${secret}`, ...headers }, body);
const inBase64 = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");
const begin = (metadata: Record<string, string> = {}, size = gigabyte) =>
  call("POST", resumable, {
    "upload-length": String(size),
    "upload-metadata": inBase64({ filename: "site.tdbx", ...metadata }),
  });
const patch = (path: string, offset: number, body: Buffer) =>
  call("PATCH", path, { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" }, body);
const detailOf = (text: string) => (JSON.parse(text) as { detail: string }).detail;

/** A request that announces a gigabyte and sends only these bytes, so that any answer comes before the rest. */
const sendOnly = (method: string, path: string, headers: Record<string, string>, bytes: Buffer) =>
  new Promise<{ status: number; text: string }>((done, fail) => {
    const sending = httpRequest(
      gateway.url + path,
      { method, headers: { authorization: `Bearer ${secret}`, "content-length": gigabyte, ...headers } },
      (response) => {
        let text = "";
        response
          .on("data", (chunk) => (text += chunk))
          .on("end", () => {
            done({ status: response.statusCode!, text });
            sending.destroy();
          });
      },
    );
    sending.on("error", fail);
    sending.write(bytes);
  });

const kept = async () =>
  (await readdir(join(gateway.dataDir, "files", "resumable"))).length +
  (await readdir(join(gateway.dataDir, "files", "incoming"))).length;
const refusals = async () =>
  (
    await gateway.sql<{ n: number }>`
      select count(*)::int as n from audit_event where action = 'tdb.upload' and outcome = 'failed' and details ->> 'reason' = ${reason}`
  )[0]!.n;

test("an upload that names another facility or an unknown facility is refused at its beginning", async () => {
  const before = await refusals();
  for (const named of [
    { facilityUuid: other.facilityUuid },
    { hmisCode: other.hmisCode },
    { facilityUuid: other.facilityUuid, hmisCode: other.hmisCode },
  ] as Record<string, string>[]) {
    const answer = await begin(named);
    expect([answer.status, detailOf(answer.text)]).toEqual([422, reason]);
  }
  const unknown = await begin({ hmisCode: "nowhere" });
  expect([unknown.status, detailOf(unknown.text)]).toEqual([
    422,
    "The file is of an unknown facility (HMIS code nowhere).",
  ]);
  expect([await refusals(), await kept()]).toEqual([before + 3, 0]);
  const good = await begin({ facilityUuid: own.facilityUuid, hmisCode: own.hmisCode });
  expect(good.status).toBe(201);
  await call("DELETE", good.headers.get("location")!, {});
});

/** An archive with a compressed manifest and its sizes after it, as exporters that write to a stream make them. */
function streamed(facility: Facility): Buffer {
  const manifest = {
    format: "tdbx/1",
    facility: { hmisCode: facility.hmisCode },
    createdAt: "2026-03-31T08:00:00Z",
    delta: false,
    totalPatients: 1,
  };
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  header.writeUInt16LE(8, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE("manifest.json".length, 26);
  return Buffer.concat([
    header,
    Buffer.from("manifest.json"),
    deflateRawSync(JSON.stringify(manifest)),
    Buffer.alloc(100_000, "PK\x07\x08"),
  ]);
}

test("a resumable upload is refused as soon as its first bytes show another facility, and nothing of it is kept", async () => {
  const part = { "tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  for (const head of [tdbxOf(other.facilityUuid, {}, 100_000).subarray(0, 40_000), streamed(other)]) {
    const path = (await begin()).headers.get("location")!;
    const answer = await sendOnly("PATCH", path, part, head);
    expect([answer.status, detailOf(answer.text)]).toEqual([422, reason]);
    expect((await call("HEAD", path, {})).status).toBe(404);
  }
  // The same if the first bytes come with the request that begins the upload.
  const atOnce = await sendOnly(
    "POST",
    resumable,
    { ...part, "upload-length": String(gigabyte), "upload-metadata": inBase64({ filename: "site.tdbx" }) },
    tdbxOf(other.facilityUuid),
  );
  expect([atOnce.status, detailOf(atOnce.text)]).toEqual([422, reason]);
  expect(await kept()).toBe(0);
});

test("a file of another facility is refused also if its first bytes arrive in small pieces", async () => {
  const foreign = tdbxOf(other.facilityUuid);
  const path = (await begin({}, foreign.length)).headers.get("location")!;
  for (const [from, to] of [
    [0, 3],
    [3, 20],
    [20, 60],
  ] as const)
    expect((await patch(path, from, foreign.subarray(from, to))).status).toBe(204);
  const answer = await patch(path, 60, foreign.subarray(60));
  expect([answer.status, detailOf(answer.text)]).toEqual([422, reason]);
  expect(await kept()).toBe(0);
});

test("a file of the sender's own facility is accepted in one part, in many parts, and in a form", async () => {
  for (const sizes of [[Infinity], [2, 31, 64, Infinity], [50_000, 50_000, Infinity]]) {
    const content = tdbxOf(own.facilityUuid, {}, 200_000);
    const path = (await begin({ facilityUuid: own.facilityUuid }, content.length)).headers.get("location")!;
    let offset = 0;
    for (const size of sizes) {
      const answer = await patch(path, offset, content.subarray(offset, offset + size));
      expect(answer.status, answer.text).toBe(204);
      offset = Number(answer.headers.get("upload-offset"));
    }
    const finished = await call("POST", `${path}/finish`, {});
    expect(JSON.parse(finished.text)).toMatchObject({ accepted: true, size: content.length });
  }
  // A file that is not an archive is rejected when it is complete.
  for (const content of [Buffer.from("PK"), Buffer.from("hello"), tdbxOf(own.facilityUuid).subarray(0, 60)]) {
    const path = (await begin({}, content.length)).headers.get("location")!;
    expect((await patch(path, 0, content)).status).toBe(204);
    expect(JSON.parse((await call("POST", `${path}/finish`, {})).text)).toMatchObject({ accepted: false });
  }
  const sent = await sendFormBy(
    gateway.url,
    secret,
    formOf([
      { name: "a.tdbx", content: tdbxOf(other.facilityUuid) },
      { name: "b.tdbx", content: tdbxOf(own.facilityUuid, {}, 3_000_000) },
    ]),
  );
  expect([sent.status, bodyOf(sent).files]).toMatchObject([
    422,
    [
      { accepted: false, error: { message: reason } },
      { accepted: true, facilityUuid: own.facilityUuid },
    ],
  ]);
});

test("a site's form with a large file of another facility is refused before the file has arrived", async () => {
  const before = await kept();
  const boundary = "a-boundary";
  const frame = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="site.tdbx"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const answer = await sendOnly(
    "POST",
    "/api/v1/tdb",
    { "content-type": `multipart/form-data; boundary=${boundary}` },
    Buffer.concat([frame, tdbxOf(other.facilityUuid, {}, 3_000_000)]),
  );
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
    422,
    { detail: reason, files: [{ fileName: "site.tdbx", accepted: false, error: { message: reason } }] },
  ]);
  expect(await kept()).toBe(before);
});

/** A proxy to the gateway that records each request and the bytes of its body. */
async function recordingProxy() {
  const requests: { method: string; path: string; bytes: number }[] = [];
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request as { method: string; url: string; headers: IncomingHttpHeaders };
    const recorded = { method, path, bytes: 0 };
    requests.push(recorded);
    request.on("data", (chunk: Buffer) => (recorded.bytes += chunk.length));
    const forwarded = httpRequest(gateway.url + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => request.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => server.close() };
}

test("the command-line sender reports a file of another facility as rejected, with the reason, and sends no byte of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "platform-early-"));
  await writeFile(join(folder, "other.tdbx"), tdbxOf(other.facilityUuid, {}, 2_000_000));
  await writeFile(join(folder, "own.tdbx"), tdbxOf(own.facilityUuid, {}, 2_000_000));
  const proxy = await recordingProxy();
  const send = (name: string) =>
    startSender(folder, ["--url", proxy.url, "--quiet", "--json", name], { TDBX_TOKEN: secret }).ended;
  const bytesSent = () => proxy.requests.reduce((sum, { bytes }) => sum + bytes, 0);
  const refused = await send("other.tdbx");
  expect([refused.code, JSON.parse(refused.out)]).toEqual([
    1,
    { file: "other.tdbx", outcome: "rejected", message: reason },
  ]);
  expect(bytesSent()).toBe(0);
  // The same way, a file of the sender's own facility is sent.
  expect((await send("own.tdbx")).code).toBe(0);
  expect(bytesSent()).toBeGreaterThan(2_000_000);
  proxy.close();
  await rm(folder, { recursive: true });
});

test("a site's form that breaks off leaves no file, and does not use up the limit of concurrent uploads", async () => {
  const before = await kept();
  const boundary = "a-boundary";
  const frame = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="site.tdbx"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const content = tdbxOf(own.facilityUuid, {}, 200_000);
  const headers = { authorization: `Bearer ${secret}`, "content-type": `multipart/form-data; boundary=${boundary}` };
  for (const [end, isEnded] of [
    [10, true],
    [60, true],
    [150_000, true],
    [10, false],
    [60, false],
    [150_000, false],
  ] as const) {
    const ended = new Promise<number | undefined>((done) => {
      const sending = httpRequest(`${gateway.url}/api/v1/tdb`, { method: "POST", headers }, (response) => {
        response.resume().on("end", () => done(response.statusCode));
      });
      sending.on("error", () => done(undefined));
      sending.write(frame);
      sending.write(content.subarray(0, end), () =>
        isEnded ? sending.end() : setTimeout(() => sending.destroy(), 100),
      );
    });
    expect(await ended).toBe(isEnded ? 400 : undefined);
  }
  await expect.poll(kept).toBe(before);
  const answers = await Promise.all(
    Array.from({ length: 16 }, () =>
      sendFormBy(gateway.url, secret, formOf([{ name: "a.tdbx", content: tdbxOf(own.facilityUuid, {}, 3_000_000) }])),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
});
