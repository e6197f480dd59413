import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { TdbReceipt } from "../../gateway/tdb/tdb.rules.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { bodyOf, type Person, stranger } from "../support/gateway.ts";
import { formOf, graphqlFormOf, sendForm, tdbxOf, tusOf, uploadMutation } from "../support/tdbx.ts";

/**
 * A gateway that cannot write a file beyond some megabytes: the system refuses the bytes in the middle of a file, as a
 * full disk does.
 */

const big = 12_000_000;
let database: TestDatabase;
let dataDir: string;
let child: ChildProcess;
let url: string;
let admin: Person;
let facilityUuid: string;
beforeAll(async () => {
  database = await testDatabase("demo");
  dataDir = await mkdtemp(join(tmpdir(), "platform-full-"));
  await mkdir(join(dataDir, "files"));
  // Builds what is missing before the limit applies.
  execFileSync(process.execPath, ["gateway/start.mjs", "tdbx", "--help"]);
  // Units of 512 or 1024 bytes, depending on the shell: 4 or 8 MB.
  child = spawn("sh", ["-c", 'ulimit -f 8192 && exec "$0" gateway/start.mjs main', process.execPath], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: "0",
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout!.on("data", (part: Buffer) => {
      text += part.toString();
      const [, found] = /Serving on (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    child.once("exit", () => reject(new Error(`The gateway ended: ${text}`)));
  });
  admin = stranger(url);
  await admin.call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" });
  facilityUuid = (await database.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow())
    .facilityUuid;
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await database?.drop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

const filesIn = async (folder: string) =>
  (await readdir(join(dataDir, "files", folder)).catch(() => [])).filter((name) => !name.endsWith(".outcome")).length;
async function state() {
  const { rows } = await sql<{ tdbs: number; downloads: number }>`
    select (select count(*) from tdb) as tdbs, (select count(*) from download) as downloads`.execute(database.db);
  return {
    ...rows[0]!,
    incoming: await filesIn("incoming"),
    resumable: await filesIn("resumable"),
    tdb: await filesIn("tdb"),
    download: await filesIn("download"),
  };
}
const full = "The server has no room left for files. Nothing of this file was kept.";
const small = () => ({ name: "small.tdbx", content: tdbxOf(facilityUuid) });
const large = () => ({ name: "large.tdbx", content: tdbxOf(facilityUuid, {}, big) });

test("the form is answered with 507 and a result for each file, and the file before is kept", async () => {
  const before = await state();
  const answer = await sendForm(url, "/api/v1/tdb", admin, formOf([small(), large()]));
  expect([answer.status, bodyOf<{ detail: string }>(answer).detail]).toEqual([507, full]);
  expect(bodyOf<{ files: TdbReceipt[] }>(answer).files).toMatchObject([
    { fileName: "small.tdbx", accepted: true },
    { fileName: "large.tdbx", accepted: false, error: { message: full } },
  ]);
  await expect.poll(state).toEqual({ ...before, tdbs: before.tdbs + 1, tdb: before.tdb + 1 });
});

test("GraphQL returns the same result for each file", async () => {
  const before = await state();
  const answer = await sendForm(url, "/graphql", admin, graphqlFormOf(uploadMutation, [small(), large()]));
  expect(bodyOf(answer).data.uploadTdbs).toMatchObject({
    receipts: [{ accepted: true }, { fileName: "large.tdbx", accepted: false, error: full }],
    errors: [{ path: "input.files.1", message: full }],
  });
  await expect.poll(state).toEqual({ ...before, tdbs: before.tdbs + 1, tdb: before.tdb + 1 });
});

test("a resumable upload is answered with 507, keeps what fitted, and leaves nothing when it is deleted", async () => {
  const before = await state();
  const tus = tusOf(url, admin);
  const { content } = large();
  const path = await tus.create(content.length);
  const refused = await tus.patch(path, 0, content);
  const detail = "The server has no room left for files. What was sent so far is kept: choose the file again later.";
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    507,
    { type: "urn:problem:storage-full", title: "Insufficient storage", status: 507, detail },
  ]);
  const { offset } = await tus.head(path);
  expect(offset).toBeLessThanOrEqual(8192 * 1024);
  expect((await tus.patch(path, offset, content.subarray(offset))).status).toBe(507);
  expect((await tus.call("DELETE", path, {})).status).toBe(204);
  expect(await state()).toEqual(before);
});

test("Add file is refused by REST (507) and by GraphQL, and leaves nothing", async () => {
  const before = await state();
  const file = { name: "setup.zip", content: Buffer.alloc(big) };
  const form = formOf([file], "file");
  for (const [name, value] of Object.entries({
    fileName: "A large file",
    fileDescription: "A file that does not fit",
    fileType: "OTHER",
  }))
    form.append(name, value);
  const rest = await sendForm(url, "/api/v1/download", admin, form);
  expect([rest.status, bodyOf<{ detail: string }>(rest).detail]).toEqual([507, full]);
  const mutation =
    'mutation ($file: Upload!) { addDownload(input: { file: $file, fileName: "A large file", fileDescription: "A file that does not fit", fileType: OTHER }) { download { uuid } errors { message } } }';
  const graphql = await sendForm(url, "/graphql", admin, graphqlFormOf(mutation, [file], "file"));
  expect(bodyOf(graphql).data.addDownload).toEqual({ download: null, errors: [{ message: full }] });
  await expect.poll(state).toEqual(before);
});

test("an export that does not fit is answered with 507 before any byte is sent, and leaves nothing; one that fits is sent", async () => {
  const before = await state();
  await sql`insert into audit_event (action, outcome, login) select 'test.long', 'done', repeat('long ', 40) from generate_series(1, 60000)`.execute(
    database.db,
  );
  const refused = await admin.get("/api/v1/audit/csv?action=test.long");
  expect([refused.status, refused.body]).toMatchObject([
    507,
    { title: "Insufficient storage", detail: "The server has no room left to make this file." },
  ]);
  expect(refused.headers.get("content-disposition")).toBeNull();
  expect(await state()).toEqual(before);
  const made = await admin.get("/api/v1/audit/csv?action=session.sign-in");
  expect([made.status, made.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
});

test("if PostgreSQL has no room left, a save is refused by REST (507) and by GraphQL, and the gateway is not ready", async () => {
  const readyz = async () => (await fetch(`${url}/readyz`)).json();
  expect(await readyz()).toMatchObject({ status: "ready", room: "ok" });
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file "base/5/1": No space left on device' using errcode = 'disk_full'; end $$`.execute(
    database.db,
  );
  await sql`create trigger refuse before insert on assessment execute function refuse()`.execute(database.db);
  const input = {
    facilityUuid,
    functionalityStatusMode: "EFirst",
    dateOfLastUpgrade: "2024-01-31",
    numberOfStaffTrainedInSmartCare: 1,
  };
  const detail =
    "The database has no room left. Nothing of this was saved. Please tell the ministry, and try again later.";
  const rest = await admin.call("POST", "/api/v1/assessment", input);
  expect([rest.status, rest.body]).toMatchObject([507, { title: "Insufficient storage", detail }]);
  const graphql = await admin.graphql(
    "mutation ($input: CreateAssessmentInput!) { createAssessment(input: $input) { assessment { id } } }",
    { input },
  );
  expect(graphql.errors).toMatchObject([{ message: detail, extensions: { code: "STORAGE_FULL" } }]);
  await sql`drop function refuse cascade`.execute(database.db);
  await expect.poll(readyz).toMatchObject({ status: "not ready", room: "failed", database: "ok", storage: "ok" });
  expect((await fetch(`${url}/readyz`)).status).toBe(507);
  expect((await admin.call("POST", "/api/v1/assessment", input)).status).toBe(200);
});

test("the gateway works normally afterwards", async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const tus = tusOf(url, admin);
  const { content } = small();
  const path = await tus.create(content.length);
  await tus.patch(path, 0, content);
  expect((await tus.finish(path)).body).toMatchObject({ accepted: true });
});

test("a backup that does not fit ends with a reason and without a manifest; the next one, with room, is whole", async () => {
  const backup = (folder: string, limit: string) =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      const began = spawn(
        "sh",
        ["-c", `${limit} exec "$0" gateway/start.mjs backup "$1" --allow-missing`, process.execPath, folder],
        {
          env: {
            PATH: process.env["PATH"],
            HOME: process.env["HOME"],
            DATABASE_URL: database.url,
            DATA_DIR: dataDir,
          },
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
      let output = "";
      for (const stream of [began.stdout, began.stderr])
        stream.on("data", (part: Buffer) => (output += part.toString()));
      began.once("close", (code) => resolve({ code, output }));
    });
  // The demonstration's own files are not in this folder.
  const folder = join(dataDir, "backups", "one");
  const failed = await backup(folder, "ulimit -f 64;");
  expect([failed.code, failed.output]).toEqual([1, expect.stringMatching(/EFBIG|no room|too large/i)]);
  expect(await readdir(folder).catch(() => [])).not.toContain("manifest.json");
  expect((await readdir(join(dataDir, "backups"))).filter((name) => name !== "one")).toEqual([]);
  const whole = await backup(join(dataDir, "backups", "two"), "");
  expect([whole.code, whole.output]).toEqual([0, expect.stringContaining("SHA-256 of its manifest") as string]);
});
