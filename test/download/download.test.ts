import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { rangeOf } from "../../gateway/rest/file.ts";
import { bodyOf, errorsOf, type Nodes } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf, sendForm } from "../support/tdbx.ts";

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");

const content = Buffer.from("Made-up patch.\r\n".repeat(1000));
const valid = { fileName: "Patch for tests", fileDescription: "A patch that tests add", fileType: "PATCH" };
function form(
  fields: Record<string, string>,
  file: { name: string; bytes?: Buffer } | null = { name: "patch.sql" },
): FormData {
  const data = new FormData();
  if (file) data.append("file", new Blob([new Uint8Array(file.bytes ?? content)]), file.name);
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}
const add = (data: FormData, person = admin) => sendForm(gateway.url, "/api/v1/download", person, data);
const listed = async (person = admin) => bodyOf<{ uuid: string }[]>(await person.get("/api/v1/download"));
const files = async (folder: string) => (await readdir(join(gateway.dataDir, "files", folder))).length;

describe("the list of downloads", () => {
  test("has every field, and the database key for administrators only", async () => {
    const uploader = await gateway.as("uploader");
    const seen = bodyOf<Record<string, unknown>[]>(await uploader.get("/api/v1/download"));
    expect(new Set(seen.map(({ fileType }) => fileType))).toEqual(new Set(["INSTALLER", "UPGRADER", "PATCH", "OTHER"]));
    expect(Object.keys(seen[0]!).toSorted()).toEqual([
      "description",
      "fileType",
      "id",
      "name",
      "sha256",
      "size",
      "uploadDate",
      "uuid",
    ]);
    const all = bodyOf<Record<string, unknown>[]>(await admin.get("/api/v1/download"));
    expect(all.find(({ fileType }) => fileType === "INSTALLER")!["databaseKey"]).toMatch(/^.{8}$/);
    const { data } = await uploader.graphql("{ downloads(fileType: INSTALLER) { nodes { uuid databaseKey sha256 } } }");
    expect(data.downloads.nodes.every(({ databaseKey }: { databaseKey: null }) => databaseKey === null)).toBe(true);
  });
});

describe("adding a file", () => {
  test("stores it, lists it and returns it unchanged, with its SHA-256 digest and its length", async () => {
    const answer = await add(form(valid));
    expect(answer.status).toBe(200);
    const added = bodyOf<{ uuid: string; sha256: string }>(answer);
    expect(added).toMatchObject({
      name: valid.fileName,
      description: valid.fileDescription,
      size: content.length,
      fileType: "PATCH",
      databaseKey: null,
    });
    expect(await listed()).toContainEqual(added);
    const fetched = await fetch(`${gateway.url}/api/v1/download/${added.uuid}`, {
      headers: { cookie: cookiesOf(admin) },
    });
    const sha256 = createHash("sha256")
      .update(Buffer.from(await fetched.arrayBuffer()))
      .digest();
    expect(added.sha256).toBe(sha256.toString("hex"));
    expect(fetched.headers.get("repr-digest")).toBe(`sha-256=:${sha256.toString("base64")}:`);
    expect(fetched.headers.get("etag")).toBe(`"${added.sha256}"`);
    // Not compressed, although fetch accepts that: the length and the ranges are those of the stored bytes.
    expect([fetched.headers.get("content-encoding"), fetched.headers.get("content-length")]).toEqual([
      null,
      String(content.length),
    ]);
    const head = await admin.call("HEAD", `/api/v1/download/${added.uuid}`);
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(content.length)]);
    expect(fetched.headers.get("content-disposition")).toContain('attachment; filename="patch.sql"');
    expect(fetched.headers.get("content-security-policy")).toContain("sandbox");
    const tail = await fetch(`${gateway.url}/api/v1/download/${added.uuid}`, {
      headers: { cookie: cookiesOf(admin), range: "bytes=-3" },
    });
    expect([tail.status, await tail.text()]).toEqual([206, ".\r\n"]);
  });

  test("uses the file's own name if no name is given, and stores the key of an installer", async () => {
    const named = await add(form({ ...valid, fileName: "" }, { name: "a-long-enough-name.sql" }));
    expect(bodyOf<{ name: string }>(named).name).toBe("a-long-enough-name.sql");
    const installer = await add(form({ ...valid, fileType: "INSTALLER", dbKey: "12345678" }, { name: "setup.exe" }));
    expect(bodyOf<{ databaseKey: string }>(installer).databaseKey).toBe("12345678");
  });

  const refused: [string, FormData, string][] = [
    ["no file", form(valid, null), "file"],
    ["an empty file", form(valid, { name: "a.sql", bytes: Buffer.alloc(0) }), "file"],
    ["another kind of file", form(valid, { name: "page.html" }), "file"],
    ["a short name", form({ ...valid, fileName: "short" }), "fileName"],
    ["a name of 49 characters", form({ ...valid, fileName: "n".repeat(49) }), "fileName"],
    ["a description of 11 characters", form({ ...valid, fileDescription: "d".repeat(11) }), "fileDescription"],
    ["a description of 129 characters", form({ ...valid, fileDescription: "d".repeat(129) }), "fileDescription"],
    ["no kind", form({ fileName: valid.fileName, fileDescription: valid.fileDescription }), "fileType"],
    ["an unknown kind", form({ ...valid, fileType: "TOOL" }), "fileType"],
    ["an installer without a key", form({ ...valid, fileType: "INSTALLER" }), "dbKey"],
    ["a key of 7 characters", form({ ...valid, fileType: "UPGRADER", dbKey: "1234567" }), "dbKey"],
    ["a key of 9 characters", form({ ...valid, fileType: "UPGRADER", dbKey: "123456789" }), "dbKey"],
    ["a key of 4 emoji", form({ ...valid, fileType: "UPGRADER", dbKey: "\u{1F511}".repeat(4) }), "dbKey"],
    ["a key of blanks", form({ ...valid, fileType: "INSTALLER", dbKey: " ".repeat(8) }), "dbKey"],
    ["a patch with a key", form({ ...valid, dbKey: "12345678" }), "dbKey"],
    ["an unknown field", form({ ...valid, remark: "x" }), "remark"],
  ];
  test.each(refused)("refuses %s and stores nothing", async (_, data, path) => {
    const kept = await files("download");
    const answer = await add(data);
    expect(answer.status).toBe(422);
    expect(errorsOf(answer).map((error) => error.path)).toEqual([path]);
    expect([await files("incoming"), await files("download")]).toEqual([0, kept]);
  });

  test("works through GraphQL", async () => {
    const query = `mutation ($input: AddDownloadInput!) { addDownload(input: $input) { download { uuid name size } errors { path message } } }`;
    const send = (input: object) => {
      const data = new FormData();
      data.append("operations", JSON.stringify({ query, variables: { input: { file: null, ...input } } }));
      data.append("map", JSON.stringify({ 0: ["variables.input.file"] }));
      data.append("0", new Blob([new Uint8Array(content)]), "by-graphql.sql");
      return sendForm(gateway.url, "/graphql", admin, data);
    };
    const done = bodyOf(await send(valid));
    expect(done.data.addDownload).toMatchObject({
      download: { name: valid.fileName, size: content.length },
      errors: [],
    });
    const bad = bodyOf(await send({ ...valid, fileName: "short" }));
    expect(bad.data.addDownload).toMatchObject({ download: null, errors: [{ path: "fileName" }] });
    expect(await files("incoming")).toBe(0);
  });
});

test("a withdrawn file is kept in the database, but neither listed nor downloaded", async () => {
  const { uuid } = bodyOf<{ uuid: string }>(await add(form(valid)));
  const uploader = await gateway.as("uploader");
  /** Whether the file is in the lists: by REST for two people, and by GraphQL. */
  const isListed = async () => {
    const { data } = await admin.graphql<{ downloads: Nodes<{ uuid: string }> }>(
      "{ downloads(first: 100) { nodes { uuid } } }",
    );
    return [await listed(), await listed(uploader), data.downloads.nodes].map((rows) =>
      rows.some((row) => row.uuid === uuid),
    );
  };
  expect(await isListed()).toEqual([true, true, true]);
  expect((await uploader.call("DELETE", `/api/v1/download/${uuid}`)).status).toBe(403);
  expect((await admin.call("DELETE", `/api/v1/download/${uuid}`)).status).toBe(200);
  expect((await admin.call("DELETE", `/api/v1/download/${uuid}`)).status).toBe(404);
  expect((await admin.get(`/api/v1/download/${uuid}`)).status).toBe(404);
  expect(await isListed()).toEqual([false, false, false]);
  const rows = await gateway.sql<{ n: number }>`select count(*) as n from download where download_uuid = ${uuid}`;
  expect(rows[0]!.n).toBe(1);
  const audit = await gateway.db.selectFrom("auditEvent").select("action").where("subjectId", "=", uuid).execute();
  expect(audit.map(({ action }) => action)).toEqual(["download.add", "download.withdraw"]);
});

test.each([
  ["bytes=0-9", { start: 0, end: 9 }],
  ["bytes=90-", { start: 90, end: 99 }],
  ["bytes=-5", { start: 95, end: 99 }],
  ["bytes=0-999", { start: 0, end: 99 }],
  ["bytes=100-", null],
  ["bytes=-0", null],
  ["bytes=9-0", undefined],
  ["bytes=0-1,5-6", undefined],
  ["lines=1-2", undefined],
  [undefined, undefined],
])("rangeOf reads the range %s of 100 bytes", (header, range) => {
  expect(rangeOf(header, 100)).toEqual(range);
});
