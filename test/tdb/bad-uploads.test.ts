import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";

import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import type { TdbReceipt } from "../../gateway/tdb/tdb.rules.ts";
import { bodyOf, type Person } from "../support/gateway.ts";
import { notTdbx } from "./notTdbx.ts";
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

/**
 * Bad uploads by each way: every bad file gets a clear reason, the other files are stored, and nothing of the bad file
 * is left behind.
 */

/** The log lines that are expected while a file is in the place of a folder. */
const storageIsAway = [
  /"code":"(ENOTDIR|EEXIST)"/,
  /"code":"(57P01|XX000|23514)"/,
  /"path":"\/api\/v1\/(tdb|tdb\/resumable|tdb\/resumable\/[^"]*|download)","status":50[03]/,
];

const gateway = await gatewayOfFile(
  "demo",
  { uploads: { perMachine: 16, idleSeconds: 1, mostMinutes: 10 / 60, perUser: 8, atOnce: 16 } },
  storageIsAway,
);
const [uploader, admin] = await Promise.all([gateway.as("uploader"), gateway.as("admin")]);
const facilityUuid = (await gateway.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow())
  .facilityUuid;

const filesIn = async (folder: string) =>
  (await readdir(join(gateway.dataDir, "files", folder))).filter((name) => !name.endsWith(".outcome")).length;
async function state() {
  const rows = await gateway.sql<{ tdbs: number; downloads: number }>`
    select (select count(*) from tdb) as tdbs, (select count(*) from download) as downloads`;
  return {
    ...rows[0]!,
    incoming: await filesIn("incoming"),
    resumable: await filesIn("resumable"),
    tdb: await filesIn("tdb"),
    download: await filesIn("download"),
  };
}

/** Replaces folders by files while `act` runs: nobody can write into them, not even root. */
async function withoutFolders(names: string[], act: () => Promise<void>): Promise<void> {
  const folders = names.map((name) => join(gateway.dataDir, "files", name));
  for (const folder of folders) {
    await rename(folder, `${folder}.away`);
    await writeFile(folder, "in its place");
  }
  try {
    await act();
  } finally {
    for (const folder of folders) {
      await rm(folder, { recursive: true });
      await rename(`${folder}.away`, folder);
    }
  }
}

type UploadResult = { accepted: boolean; message?: string | undefined; name: string };
type Way = (files: SentFile[]) => Promise<UploadResult[]>;
const resultOf = ({ accepted, error, fileName }: TdbReceipt): UploadResult => ({
  accepted,
  message: error?.message,
  name: fileName,
});

/** The three ways to upload. Each returns the result of every file. */
const ways: [string, Way][] = [
  [
    "the form",
    async (files) => {
      const { body } = await sendForm(gateway.url, "/api/v1/tdb", uploader, formOf(files));
      return ((Array.isArray(body) ? body : (body as { files: TdbReceipt[] }).files) as TdbReceipt[]).map(resultOf);
    },
  ],
  [
    "GraphQL",
    async (files) => {
      const { body } = await sendForm(gateway.url, "/graphql", uploader, graphqlFormOf(uploadMutation, files));
      const { receipts } = (
        body as { data: { uploadTdbs: { receipts: { fileName: string; accepted: boolean; error: string }[] } } }
      ).data.uploadTdbs;
      return receipts.map(({ accepted, error, fileName }) => ({ accepted, message: error, name: fileName }));
    },
  ],
  [
    "resumable uploads",
    async (files) => {
      const tus = tusOf(gateway.url, uploader);
      const results: UploadResult[] = [];
      for (const { name, content } of files) {
        const made = await tus.announce(content.length, name);
        const path = made.headers.get("location");
        if (!path) {
          results.push({ accepted: false, message: detailOf(made.text), name });
          continue;
        }
        const sent = await tus.patch(path, 0, content);
        if (sent.status !== 204) {
          results.push({ accepted: false, message: detailOf(sent.text), name });
          continue;
        }
        const { body } = await tus.finish(path);
        results.push(
          "accepted" in (body as object)
            ? resultOf(body as TdbReceipt)
            : { accepted: false, message: (body as { detail: string }).detail, name },
        );
      }
      return results;
    },
  ],
];

const detailOf = (text: string) => (JSON.parse(text) as { detail: string }).detail;

describe.each(ways)("uploads by %s", (way, send) => {
  test("files that are not TDBX are refused with a reason, and the good file beside them is stored", async () => {
    const before = await state();
    const files: [SentFile, RegExp | null][] = [
      ...notTdbx.map(([name, content, reason]): [SentFile, RegExp] => [{ name: `${name}.tdbx`, content }, reason]),
      [{ name: "good.tdbx", content: tdbxOf(facilityUuid) }, null],
      [{ name: "of nobody.tdbx", content: tdbxOf("no-such-facility") }, /unknown facility/],
      [
        { name: "installer.exe", content: tdbxOf(facilityUuid) },
        /^Only TDBX files can be uploaded, do not included unsupported files\.$/,
      ],
      [{ name: "a\u202Exbdt.tdbx", content: tdbxOf(facilityUuid) }, /invisible/],
      [{ name: `${"n".repeat(5000)}.tdbx`, content: tdbxOf(facilityUuid) }, /longer than 255/],
    ];
    // GraphQL's form parser removes the path from a file name, and treats a form with control characters as damaged.
    if (way !== "GraphQL")
      files.push(
        [{ name: "../../escape.tdbx", content: tdbxOf(facilityUuid) }, /path/],
        [{ name: "a\u0007b.tdbx", content: tdbxOf(facilityUuid) }, /invisible/],
      );
    const results = await send(files.map(([file]) => file));
    expect(results).toHaveLength(files.length);
    for (const [index, [{ name }, reason]] of files.entries()) {
      expect(results[index]!.accepted, name.slice(0, 50)).toBe(reason === null);
      if (reason) expect(results[index]!.message, name.slice(0, 50)).toMatch(reason);
    }
    expect(await state()).toEqual({ ...before, tdbs: before.tdbs + 1, tdb: before.tdb + 1 });
  });

  test.each(["incoming or resumable", "tdb"])(
    "an unwritable folder (%s) only makes uploads fail with a message, until it is writable again",
    async (broken) => {
      const before = await state();
      const file = { name: "good.tdbx", content: tdbxOf(facilityUuid) };
      await withoutFolders(broken === "tdb" ? ["tdb"] : ["incoming", "resumable"], async () => {
        const [result] = await send([file]);
        expect(result).toMatchObject({
          accepted: false,
          message: expect.stringMatching(/^The server cannot store files at the moment/),
        });
        expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
      });
      // A complete resumable upload is kept until the folder works again; the other ways keep nothing.
      const waits = way === "resumable uploads" && broken === "tdb";
      expect(await state()).toEqual({ ...before, resumable: before.resumable + (waits ? 2 : 0) });
      expect((await send([file]))[0]).toMatchObject({ accepted: true });
    },
  );
});

/** A raw request: sends the headers; `write` sends the bytes. */
const raw = (
  path: string,
  person: Person,
  headers: Record<string, string | number>,
  write: (request: ReturnType<typeof httpRequest>) => void,
) =>
  new Promise<{ status: number; body: { detail: string; files?: TdbReceipt[] } }>((resolve, reject) => {
    const request = httpRequest(
      gateway.url + path,
      { method: "POST", headers: { cookie: cookiesOf(person), ...headers } },
      (response) => {
        let text = "";
        response
          .on("data", (chunk) => (text += chunk))
          .on("end", () => resolve({ status: response.statusCode!, body: text ? JSON.parse(text) : undefined }));
      },
    );
    request.on("error", reject);
    write(request);
  });
const type = "multipart/form-data; boundary=b";
const part = (disposition: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
const operations = (count: number) => [
  part(
    'name="operations"',
    JSON.stringify({ query: uploadMutation, variables: { files: Array.from({ length: count }, () => null) } }),
  ),
  part(
    'name="map"',
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [index, [`variables.files.${index}`]])),
    ),
  ),
];
/** The beginning of each kind of form: a complete good file (not for Add file), then the start of another one. */
const forms: [string, () => Person, string, (good: Buffer) => Buffer][] = [
  [
    "the form",
    () => uploader,
    "/api/v1/tdb",
    (good) =>
      Buffer.concat([
        part('name="files"; filename="good.tdbx"', good),
        part('name="files"; filename="half.tdbx"', "PK").subarray(0, -2),
      ]),
  ],
  [
    "GraphQL",
    () => uploader,
    "/graphql",
    (good) =>
      Buffer.concat([
        ...operations(2),
        part('name="0"; filename="good.tdbx"', good),
        part('name="1"; filename="half.tdbx"', "PK").subarray(0, -2),
      ]),
  ],
  [
    "Add file",
    () => admin,
    "/api/v1/download",
    () => part('name="file"; filename="half.sql"', "select").subarray(0, -2),
  ],
];

/** Each kind of form at once: it takes long until the gateway ends a request that drips. */
test.each([
  ["stops", /No byte has come for 1 seconds/],
  ["drips", /took longer than/],
])("a request by each form is ended with a list of the received files if its sender %s", async (how, detail) => {
  const before = await state();
  await Promise.all(
    forms.map(async ([way, person, path, begun]) => {
      let drip: NodeJS.Timeout | undefined;
      const answer = await raw(path, person(), { "content-type": type, "content-length": 10_000_000 }, (request) => {
        request.write(begun(tdbxOf(facilityUuid)));
        if (how === "drips") drip = setInterval(() => request.write("x"), 200);
      });
      clearInterval(drip);
      expect(answer.status, way).toBe(408);
      expect(answer.body.detail, way).toMatch(detail);
      const accepted = answer.body.files?.filter((each) => each.accepted) ?? [];
      expect(accepted, way).toHaveLength(way === "Add file" ? 0 : 1);
    }),
  );
  await expect.poll(state).toEqual({ ...before, tdbs: before.tdbs + 2, tdb: before.tdb + 2 });
});

describe.each(forms)("a request by %s", (way, person, path, begun) => {
  const isAddFile = way === "Add file";

  test("is refused before a byte is read if it announces 33 GB", async () => {
    const before = await state();
    const answer = await raw(path, person(), { "content-type": type, "content-length": 33 * 1024 ** 3 }, (request) =>
      request.flushHeaders(),
    );
    expect([answer.status, answer.body.detail]).toEqual([413, "Chosen Files Batch Size exceeds the allowable Limit."]);
    expect(await state()).toEqual(before);
  });

  test("stores the complete files, and nothing of the incomplete one, if it ends in the middle of a file", async () => {
    const before = await state();
    const bytes = begun(tdbxOf(facilityUuid));
    const answer = await raw(path, person(), { "content-type": type, "content-length": bytes.length }, (request) =>
      request.end(bytes),
    );
    const more = isAddFile ? 0 : 1;
    const text = JSON.stringify(answer.body);
    expect(text).toMatch(/did not arrive whole|connection broke off|Unexpected end of form/);
    if (!isAddFile) expect(text).toContain("good.tdbx");
    await expect.poll(state).toEqual({ ...before, tdbs: before.tdbs + more, tdb: before.tdb + more });
  });

  test("stores nothing of the incomplete file if its sender disconnects", async () => {
    const before = await state();
    await expect(
      raw(path, person(), { "content-type": type, "content-length": 10_000_000 }, (request) => {
        request.write(begun(tdbxOf(facilityUuid)));
        setTimeout(() => request.destroy(), 300);
      }),
    ).rejects.toThrow("socket hang up");
    const more = isAddFile ? 0 : 1;
    await expect.poll(state).toEqual({ ...before, tdbs: before.tdbs + more, tdb: before.tdb + more });
  });
});

test.each(["/api/v1/tdb", "/api/v1/download"])(
  "a form to %s without a boundary or an end returns 400",
  async (path) => {
    const before = await state();
    for (const [form, body] of [
      ["multipart/form-data", "x"],
      ["multipart/form-data; boundary=b", "--b\r\nbroken"],
      ["multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="fileName"\r\n\r\nhalf'],
    ] as const) {
      const answer = await admin.call("POST", path, body, { "content-type": form });
      expect([form, body, answer.status]).toEqual([form, body, 400]);
    }
    expect(await state()).toEqual(before);
  },
);

test("a damaged form by GraphQL is reported as damaged, and the gateway keeps running", async () => {
  const before = await state();
  const { body } = await sendForm(
    gateway.url,
    "/graphql",
    uploader,
    graphqlFormOf(uploadMutation, [{ name: "a\u0007b.tdbx", content: tdbxOf(facilityUuid) }]),
  );
  expect(JSON.stringify(body)).toMatch(/Malformed part header|the form is damaged/);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  expect(await state()).toEqual(before);
});

test("a GraphQL upload without files returns that a file is needed, and a file missing in the form is reported", async () => {
  const none = await sendForm(gateway.url, "/graphql", uploader, graphqlFormOf(uploadMutation, []));
  expect(bodyOf(none).data.uploadTdbs).toMatchObject({
    receipts: [],
    errors: [{ path: "files", message: "at least one file is needed" }],
  });
  const missing = Buffer.concat([...operations(1), Buffer.from("--b--\r\n")]);
  const answer = await raw(
    "/graphql",
    uploader,
    { "content-type": type, "content-length": missing.length },
    (request) => request.end(missing),
  );
  expect(JSON.stringify(answer.body)).toContain("File missing in the request.");
});

test.each([
  ["57P01", 503, 1],
  ["XX000", 500, 1],
  ["23514", 500, 0],
])(
  "if the database ends the second of three files with %s, the answer lists the first, and its file stays if it may have a row",
  async (code, status, kept) => {
    const before = await state();
    await sql`create function refuse_tdb() returns trigger language plpgsql as ${sql.raw(`$$ begin raise exception 'of a test' using errcode = '${code}'; end $$`)}`.execute(
      gateway.db,
    );
    await sql`create trigger refuse_tdb before insert on tdb for each row when (new.file_name = 'two.tdbx') execute function refuse_tdb()`.execute(
      gateway.db,
    );
    const files = ["one", "two", "three"].map((name) => ({ name: `${name}.tdbx`, content: tdbxOf(facilityUuid) }));
    const answer = await sendForm(gateway.url, "/api/v1/tdb", uploader, formOf(files));
    await sql`drop function refuse_tdb cascade`.execute(gateway.db);
    expect([answer.status, bodyOf<{ files: TdbReceipt[] }>(answer).files.map(resultOf)]).toEqual([
      status,
      [
        { accepted: true, message: undefined, name: "one.tdbx" },
        { accepted: false, message: bodyOf<{ detail: string }>(answer).detail, name: "two.tdbx" },
      ],
    ]);
    const after = await state();
    expect([after.tdbs - before.tdbs, after.tdb - before.tdb]).toEqual([1, 1 + kept]);
  },
);

test("adding a download returns an error by REST and GraphQL if the folder cannot be written to, and nothing is kept", async () => {
  const before = await state();
  const fields = { fileName: "A patch of tests", fileDescription: "A patch that tests add", fileType: "PATCH" };
  const form = formOf([{ name: "patch.sql", content: Buffer.from("select 1") }], "file");
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const mutation =
    'mutation ($file: Upload!) { addDownload(input: { file: $file, fileName: "A patch of tests", fileDescription: "A patch that tests add", fileType: PATCH }) { download { uuid } errors { message } } }';
  const message = "The server cannot store files at the moment. Nothing of this file was kept.";
  await withoutFolders(["incoming"], async () => {
    const rest = await sendForm(gateway.url, "/api/v1/download", admin, form);
    expect([rest.status, bodyOf<{ detail: string }>(rest).detail]).toEqual([503, message]);
    const graphql = await sendForm(
      gateway.url,
      "/graphql",
      admin,
      graphqlFormOf(mutation, [{ name: "patch.sql", content: Buffer.from("select 1") }], "file"),
    );
    expect(bodyOf(graphql).data.addDownload).toEqual({ download: null, errors: [{ message }] });
  });
  expect(await state()).toEqual(before);
});
