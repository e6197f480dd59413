import { beforeAll, beforeEach, expect, test } from "vitest";

import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The release of a file to download: set, read, refused, and the versions that it makes old. */

let uuid: string;
const gateway = await gatewayOfFile();
const [admin, uploader] = await Promise.all([gateway.as("admin"), gateway.as("uploader")]);
beforeAll(async () => {
  [{ uuid }] = bodyOf<[{ uuid: string }]>(await admin.get("/api/v1/download"));
});

const none = {
  version: null,
  installs: [],
  appliesFrom: null,
  appliesTo: null,
  channel: "general",
  requiredSince: null,
};
const put = (release: object, headers: Record<string, string> = {}, person = admin) =>
  person.call("PUT", `/api/v1/download/${uuid}/release`, release, headers);
beforeEach(() => put({}));
const release = {
  version: "4.10.2",
  installs: ["database", "library"],
  appliesFrom: "4.9",
  appliesTo: "4.10.1",
  channel: "pilot",
};

test("a release is set, read through REST and GraphQL, replaced as a whole and audited", async () => {
  const set = { ...none, ...release, installs: ["library", "database"] };
  expect(bodyOf(await put(release))).toMatchObject({ uuid, ...set });
  expect(bodyOf(await uploader.get(`/api/v1/download/${uuid}/release`))).toMatchObject({ uuid, ...set });
  const query =
    "query ($uuid: ID!) { node(id: $uuid) { ... on Download { version installs appliesFrom appliesTo channel requiredSince } } }";
  const id = Buffer.from(`Download:${uuid}`).toString("base64");
  expect((await uploader.graphql(query, { uuid: id })).data.node).toEqual({
    ...set,
    installs: ["LIBRARY", "DATABASE"],
    channel: "PILOT",
  });
  const mutation =
    "mutation ($input: SetDownloadReleaseInput!) { setDownloadRelease(input: $input) { download { version appliesFrom channel requiredSince } errors { path message } } }";
  const { data } = await admin.graphql(mutation, {
    input: { id, version: " 5 ", installs: ["LIBRARY"], requiredSince: "2020-01-01" },
  });
  expect(data.setDownloadRelease).toEqual({
    download: { version: "5", appliesFrom: null, channel: "GENERAL", requiredSince: "2020-01-01" },
    errors: [],
  });
  const [event] = bodyOf<{ subjectId: string; details: { version: string; before: { version: string } } }[]>(
    await admin.get("/api/v1/audit?action=download.release&limit=1"),
  );
  expect([event!.subjectId, event!.details.version, event!.details.before.version]).toEqual([uuid, "5", "4.10.2"]);
});

test("a release can be sent back as it was answered; what belongs to the file cannot be changed with it", async () => {
  await put(release);
  const whole = bodyOf<object>(await uploader.get(`/api/v1/download/${uuid}/release`));
  const same = await put(whole);
  expect([same.status, bodyOf(same)]).toEqual([200, whole]);
  const changed = await put({ ...whole, name: "Another", size: 1 });
  expect([changed.status, errorsOf(changed)]).toEqual([
    422,
    ["name", "size"].map((path) => ({ path, message: "cannot be changed" })),
  ]);
});

test("the list of downloads has only the fields of the specification", async () => {
  await put(release);
  const rows = bodyOf<object[]>(await uploader.get("/api/v1/download"));
  for (const row of rows)
    expect(Object.keys(row).toSorted()).toEqual([
      "description",
      "fileType",
      "id",
      "name",
      "sha256",
      "size",
      "uploadDate",
      "uuid",
    ]);
});

test.each<[object, string[]]>([
  [{ version: "latest", installs: ["library"] }, ["version"]],
  [{ version: "4".repeat(65), installs: ["library"] }, ["version"]],
  [{ version: "5" }, ["installs"]],
  [{ version: "5", installs: ["server"] }, ["installs.0"]],
  [{ version: "5", installs: ["library"], appliesFrom: "5.0" }, ["appliesFrom"]],
  [{ version: "4.9", installs: ["library"], appliesFrom: "4.10" }, ["appliesFrom"]],
  [{ version: "4.9", installs: ["library"], appliesTo: "4.10" }, ["appliesTo"]],
  [{ version: "5", installs: ["library"], appliesFrom: "4.10", appliesTo: "4.9" }, ["appliesTo"]],
  [{ version: "5", installs: ["library"], channel: "secret" }, ["channel"]],
  [{ version: "5", installs: ["library"], requiredSince: "2026-02-30" }, ["requiredSince"]],
  [{ version: "5", installs: ["library"], channel: "pilot", requiredSince: "2026-01-01" }, ["requiredSince"]],
  [{ version: "5", installs: ["database"], requiredSince: "2026-01-01" }, ["requiredSince"]],
  [{ installs: ["library"], appliesFrom: "4", channel: "pilot" }, ["installs", "appliesFrom", "channel"]],
  [{ version: "5", installs: ["library"], colour: "red" }, ["colour"]],
])("%j is refused, naming %j, and changes nothing", async (wrong, paths) => {
  const answer = await put(wrong);
  expect([answer.status, errorsOf(answer).map(({ path }) => path)]).toEqual([422, paths]);
  expect(bodyOf(await admin.get(`/api/v1/download/${uuid}/release`))).toMatchObject(none);
});

test("a release is set only for an existing file, and not over a change by another person", async () => {
  expect(
    (await admin.call("PUT", "/api/v1/download/01890000-0000-7000-8000-000000000000/release", release)).status,
  ).toBe(404);
  expect((await admin.call("PUT", "/api/v1/download/none/release", release)).status).toBe(404);
  const { headers } = await admin.get(`/api/v1/download/${uuid}/release`);
  const tag = headers.get("etag")!;
  expect((await put(release, { "if-match": tag })).status).toBe(200);
  expect((await put({}, { "if-match": tag })).status).toBe(412);
  expect(bodyOf(await admin.get(`/api/v1/download/${uuid}/release`))).toMatchObject({ version: "4.10.2" });
});

test("versions below one that is required by today are old on the work list and in the situation", async () => {
  const situation = async () =>
    bodyOf<{ newestLibraryVersion: string; oldVersion: { value: number; of: number } }>(
      await admin.get("/api/v1/situation"),
    );
  const listed = async () => bodyOf<object[]>(await admin.get("/api/v1/worklist/oldVersion?show=all")).length;
  const before = await situation();
  expect(before.oldVersion.of).toBeGreaterThan(before.oldVersion.value);
  const required = { version: "99.1", installs: ["library"] };
  await put({ ...required, requiredSince: "2099-01-01" });
  expect([await situation(), await listed()]).toEqual([
    { ...before, asAt: expect.any(String) },
    before.oldVersion.value,
  ]);
  await put({ ...required, requiredSince: "2020-01-01" });
  const after = await situation();
  expect([after.newestLibraryVersion, after.oldVersion.value, await listed()]).toEqual([
    "99.1",
    before.oldVersion.of,
    before.oldVersion.of,
  ]);
  await gateway.sql`update download set withdrawn_at = now() where download_uuid = ${uuid}`;
  expect((await situation()).oldVersion.value).toBe(before.oldVersion.value);
  await gateway.sql`update download set withdrawn_at = null where download_uuid = ${uuid}`;
});
