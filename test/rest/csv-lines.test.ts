import { readdir, rename } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { sql } from "kysely";
import { expect, test, vi } from "vitest";

import type { Person } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * The CSV file of all TDBs, which PostgreSQL writes: its bytes, the limits of exports, callers that disconnect, and
 * failures.
 */

const path = "/api/v1/tdb/meta/list/all/csv/2000-01-01/2999-12-31";
const gateway = await gatewayOfFile("demo", {}, [
  /"path":"\/api\/v1\/tdb\/meta\/list\/all\/csv\/[^"]*","status":50[34]/,
  /"msg":"The server cannot make files at the moment/,
]);
const uploader = await gateway.as("uploader");

const cookieOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
const ask = (init: RequestInit = {}, to = path) =>
  fetch(gateway.url + to, { ...init, headers: { ...init.headers, cookie: cookieOf(uploader) } });
/** Requests the file on its own connection, and aborts on the signal. Returns how the request ended. */
const askUntil = (signal: AbortSignal, person = uploader) =>
  new Promise<string>((resolve) => {
    request(gateway.url + path, { signal, agent: false, headers: { cookie: cookieOf(person) } }, (answer) =>
      resolve(`answered ${answer.statusCode}`),
    )
      .on("error", (error) => resolve(error.name))
      .end();
  });

const oddTexts = [
  "=1+1",
  "+260",
  "-1",
  "@sum",
  "\tx",
  "\rx",
  "\nx",
  "a\r\nb",
  " begins",
  "ends ",
  "ends\t",
  "\u00A0begins",
  "ends\u3000",
  "\uFEFFbegins",
  "ends\u2009",
  "a, b",
  'say "no"',
  '"',
  '""',
  ",",
  '=HYPERLINK("http://x", "y")',
  "=a ",
  "a=b -c",
  "\\",
  "\\N",
  "\\.",
  "'quoted'",
  "$1",
  "{a,b}",
  "%",
  "ŋ 😀",
  "\v",
  "\u0001",
  "a\u2028",
];

/** The expected text of a cell, built letter by letter. */
function cell(text: string | null): string {
  if (text === null || text === "") return "";
  const guarded = "=+-@\t\r".includes(text[0]!) ? `'${text}` : text;
  const isBlank = (letter: string) => letter.trim() === "";
  const isQuoted =
    [...guarded].some((letter) => '",\r\n'.includes(letter)) || isBlank(guarded[0]!) || isBlank(guarded.at(-1)!);
  return isQuoted ? `"${guarded.split('"').join('""')}"` : guarded;
}

test("the file has the expected bytes for each record, whatever characters the names contain", async () => {
  const { db } = gateway;
  const write = async (table: string, column: string, key: string, least = 1) => {
    const { rows } = await sql<{ key: unknown }>`
      select ${sql.ref(key)} as key from ${sql.table(table)} order by 1`.execute(db);
    for (const [index, row] of rows.entries()) {
      const text = oddTexts[index % oddTexts.length]!;
      // Some names have a minimum length, and some must be unique.
      const odd = `${text}${index < oddTexts.length ? "" : ` ${index}`}`.padStart(least, text[0]);
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${odd} where ${sql.ref(key)} = ${row.key}`.execute(
        db,
      );
    }
  };
  await write("facility", "facility_name", "facility_uuid");
  await write("district", "name", "district_id");
  await write("province", "name", "province_id");
  await write("implementing_partner", "name", "implementing_partner_id");
  await write("app_user", "first_name", "user_uuid", 3);
  // Sizes near a rounding limit of the second decimal, and some that end in zeros.
  await sql`update tdb set file_size = (array[1, 5242, 5243, 131072, 1048576, 1572864, 104857600, 32212254720, 123456789, 655360])[1 + ascii(right(sha256, 1)) % 10]`.execute(
    db,
  );
  const { rows } = await sql<
    Record<string, string | null> & {
      uploadedAt: Date;
      tdbCreatedAt: Date;
      delta: boolean;
      fileSize: number;
      totalPatients: number;
    }
  >`
    select t.*, f.facility_name, d.name as district, p.name as province, u.first_name, u.surname, i.name as partner
    from tdb t join facility f using (facility_uuid) join district d using (district_id) join province p on p.province_id = f.province_id
    join app_user u using (user_uuid) left join implementing_partner i on i.implementing_partner_id = f.implementing_partner_id order by uploaded_at desc, tdb_uuid desc`.execute(
    db,
  );
  expect(rows.length).toBeGreaterThan(300);
  const local = (at: Date) =>
    new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short", timeZone: "Africa/Lusaka" }).format(at);
  const lines = rows.map((row) => {
    const [day, time] = local(row.uploadedAt).split(" ");
    const size = String(Number((row.fileSize / 1024 ** 2).toFixed(2)));
    return [
      ...[
        day!,
        time!,
        cell(row["facilityName"]!),
        cell(row["district"]!),
        cell(row["province"]!),
        row.delta ? "Yes" : "No",
      ],
      ...[
        local(row.tdbCreatedAt).split(" ")[0]!,
        String(row.totalPatients),
        size,
        cell(`${row["firstName"]} ${row["surname"]}`),
        cell(row["partner"]!),
      ],
      ...[cell(row["facilityUuid"]!), row["tdbUuid"]!, row["sha256"]!, "", ""],
    ].join(",");
  });
  const header =
    "Uploaded Date,Uploaded Time,Facility,District,Province,Delta TDB,Created,Clients,Size (MB),User,IP,Facility UUID,UUID,SHA-256,Set aside,Held";
  const answer = await ask({ headers: { "accept-encoding": "identity" } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.toString()).toBe(`\uFEFF${[header, ...lines].map((line) => `${line}\r\n`).join("")}`);
  expect(answer.headers.get("content-length")).toBe(String(bytes.length));
  const packed = await ask({ headers: { "accept-encoding": "gzip" } });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(Buffer.from(await packed.arrayBuffer()).equals(bytes)).toBe(true);
  const none = await ask({}, "/api/v1/tdb/meta/list/all/csv/1950-01-01/1950-01-02");
  expect(Buffer.from(await none.arrayBuffer()).toString()).toBe(`\uFEFF${header}\r\n`);
});

/** The process ids of the connections that copy. */
const copying = async () => {
  const rows = await gateway.sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and query like 'copy (select%' and state = 'active'`;
  return rows.map(({ pid }) => pid);
};
const until = (count: number) =>
  vi.waitFor(async () => expect(await copying()).toHaveLength(count), { timeout: patience, interval: 20 });

/** Makes every copy wait until the work is done. */
async function held(work: () => Promise<void>): Promise<void> {
  await gateway.db.transaction().execute(async (transaction) => {
    await sql`lock table implementing_partner in access exclusive mode`.execute(transaction);
    await work();
  });
}

test("two files are written at a time, and a caller that disconnects ends its statement", async () => {
  const leaving = new AbortController();
  const ends: Promise<unknown>[] = [];
  await held(async () => {
    for (let each = 0; each < 7; each += 1) ends.push(askUntil(leaving.signal));
    await until(2);
    const last = ask();
    // Other requests still get a connection.
    expect((await ask({}, "/api/v1/tdb/count/2000-01-01/2999-12-31")).status).toBe(200);
    expect(await copying()).toHaveLength(2);
    leaving.abort();
    // Only the copy of the caller that stayed remains.
    await until(1);
    ends.push(last.then(async (answer) => `${answer.status} ${(await answer.text()).length > 10_000}`));
  });
  expect((await Promise.all(ends)).toSorted()).toEqual(["200 true", ...Array.from({ length: 7 }, () => "AbortError")]);
  await until(0);
});

test("one person has at most 8 exports under way, and another person's export still runs", async () => {
  // Not the uploader, whose former exports may still be ending.
  const admin = await gateway.as("admin");
  const leaving = new AbortController();
  const ends: Promise<string>[] = [];
  /** Tries again after a 429, because the ninth request may overtake the eighth. */
  const askAgain = async (): Promise<string> => {
    const end = await askUntil(leaving.signal, admin);
    return end === "answered 429" ? setTimeout(20).then(askAgain) : end;
  };
  await held(async () => {
    try {
      for (let each = 0; each < 8; each += 1) ends.push(askAgain());
      await until(2);
      const refusal = async () => {
        const ninth = await fetch(gateway.url + path, {
          headers: { cookie: cookieOf(admin) },
          signal: AbortSignal.timeout(1000),
        });
        return [ninth.status, ninth.headers.get("retry-after"), ((await ninth.json()) as { detail: string }).detail];
      };
      await vi.waitFor(
        async () =>
          expect(await refusal()).toEqual([429, "10", "You have 8 exports under way. Wait for one of them to end."]),
        { timeout: patience },
      );
      const other = ask();
      leaving.abort();
      await until(1);
      ends.push(other.then(({ status }) => `answered ${status}`));
    } finally {
      leaving.abort();
    }
  });
  expect((await Promise.all(ends)).toSorted()).toEqual([
    ...Array.from({ length: 8 }, () => "AbortError"),
    "answered 200",
  ]);
  expect((await admin.call("GET", path)).status).toBe(200);
});

test.each([
  ["pg_cancel_backend", 504, "urn:problem:too-slow"],
  ["pg_terminate_backend", 503, "urn:problem:unavailable"],
])("an export that %s ends is answered with a problem", async (end, status, type) => {
  await held(async () => {
    const pending = ask();
    await until(1);
    await gateway.sql`select ${sql.raw(end)}(${(await copying())[0]})`;
    const answer = await pending;
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
      status,
      "application/problem+json; charset=utf-8",
      null,
    ]);
    expect(((await answer.json()) as { type: string }).type).toBe(type);
  });
  expect((await ask()).status).toBe(200);
});

test("answers 503 if the server cannot create the file", async () => {
  const folder = join(gateway.dataDir, "files", "incoming");
  await rename(folder, `${folder}-away`);
  const answer = await ask();
  await rename(`${folder}-away`, folder);
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    503,
    "The server cannot make files at the moment.",
  ]);
  expect((await ask()).status).toBe(200);
});

test("HEAD reads no rows, and no file is left on disk", async () => {
  await held(async () => {
    const answer = await ask({ method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(answer.headers.get("content-disposition")).toContain("tdbs-2000-01-01-to-2999-12-31.csv");
  });
  expect(await readdir(join(gateway.dataDir, "files", "incoming"))).toEqual([]);
});
