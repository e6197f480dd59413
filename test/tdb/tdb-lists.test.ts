import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

import { errorsOf, type Nodes } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Lists of transport databases by REST and GraphQL, compared with the rows of the table. */

type Row = {
  uuid: string;
  userUuid: string;
  day: string;
  created: Date;
  size: number;
  facility: string;
  facilityUuid: string;
};
let rows: Row[];
let days: { start: string; end: string };
const gateway = await gatewayOfFile();
const uploader = await gateway.as("uploader");
beforeAll(async () => {
  // Names that a spreadsheet would run as formulas.
  await gateway.sql`update facility set facility_name = '=HYPERLINK("http://x","' || right(facility_name, 20) || '")'
    where facility_uuid = (select facility_uuid from tdb order by uploaded_at desc limit 1)`;
  await gateway.sql`update app_user set first_name = '@Chanda', surname = 'Mwansa, Jr' where user_uuid = (select user_uuid from tdb order by uploaded_at desc limit 1)`;
  const found = await sql<Row>`
    select tdb_uuid as uuid, tdb.user_uuid, uploaded_at::date as day, tdb_created_at as created, file_size as size, facility_name as facility, facility_uuid
    from tdb join facility using (facility_uuid) order by uploaded_at desc, tdb_uuid desc`.execute(gateway.db);
  rows = found.rows;
  // A range in the middle, with rows before and after it.
  days = { start: rows[Math.floor(rows.length * 0.7)]!.day, end: rows[Math.floor(rows.length * 0.3)]!.day };
});

const inDays = () => rows.filter(({ day }) => day >= days.start && day <= days.end);
const path = (kind: string, { start, end } = days) => `/api/v1/tdb/${kind}/${start}/${end}`;

describe("lists by REST", () => {
  test("the count includes the first and the last day", async () => {
    expect(inDays().length).toBeGreaterThan(10);
    expect(inDays().length).toBeLessThan(rows.length);
    expect((await uploader.get(path("count"))).body).toBe(inDays().length);
    const [oneDay] = inDays();
    const single = { start: oneDay!.day, end: oneDay!.day };
    expect((await uploader.get(path("count", single))).body).toBe(rows.filter(({ day }) => day === oneDay!.day).length);
    expect((await uploader.get(path("count", { start: "1950-01-01", end: "1950-01-31" }))).body).toBe(0);
  });

  test("a list for an unknown person returns 404, not an empty list", async () => {
    const nobody = "019005ce-b16a-7887-a8be-5f9cedf8992d";
    for (const list of [
      `list/user/${nobody}/start/${days.start}/end/${days.end}`,
      `meta/list/all/csv/${days.start}/${days.end}?userUuid=${nobody}`,
    ])
      expect([list, (await uploader.get(`/api/v1/tdb/${list}`)).status]).toEqual([list, 404]);
  });

  test("the CSV has the same rows, and no formula that a spreadsheet would run", async () => {
    const range = { start: rows.at(-1)!.day, end: rows[0]!.day };
    const answer = await fetch(gateway.url + path("meta/list/all/csv", range), {
      headers: { cookie: [...uploader.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    expect(answer.headers.get("content-disposition")).toContain(`tdbs-${range.start}-to-${range.end}.csv`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = bytes.subarray(3).toString().split("\r\n");
    expect(lines[0]).toBe(
      "Uploaded Date,Uploaded Time,Facility,District,Province,Delta TDB,Created,Clients,Size (MB),User,IP,Facility UUID,UUID,SHA-256,Set aside,Held",
    );
    expect(lines.at(-1)).toBe("");
    expect(lines.slice(1, -1).map((line) => line.split(",").at(-4))).toEqual(rows.map(({ uuid }) => uuid));
    expect(lines[1]).toContain(`,"'=HYPERLINK(""http://x"",""`);
    expect(lines[1]).toContain(`,"'@Chanda Mwansa, Jr",`);
    const audit = await gateway.db
      .selectFrom("auditEvent")
      .select("details")
      .where("action", "=", "tdb.export")
      .execute();
    expect(audit).toEqual([{ details: range }]);
  });

  test.each(["count", "meta/list/all", "meta/list/all/csv"])(
    "%s refuses wrong days and people without the right",
    async (kind) => {
      const backwards = await uploader.get(path(kind, { start: days.end, end: "2001-01-01" }));
      expect([backwards.status, errorsOf(backwards)[0]!.message]).toEqual([
        422,
        "End date cannot be before the start date",
      ]);
      expect((await uploader.get(path(kind, { start: "2026-02-30", end: "2026-03-01" }))).status).toBe(422);
      for (const login of ["viewer", "plain", "manager"])
        expect((await (await gateway.as(login)).get(path(kind))).status, login).toBe(403);
      expect((await (await gateway.as("admin")).get(path(kind))).status).toBe(200);
    },
  );
});

describe("lists by GraphQL", () => {
  const query = `query ($sort: TdbSort, $start: Date, $end: Date, $createdStart: Date, $createdEnd: Date, $minSize: Float, $maxSize: Float, $first: Int, $after: String, $last: Int, $before: String) {
    tdbs(sort: $sort, start: $start, end: $end, createdStart: $createdStart, createdEnd: $createdEnd, minSize: $minSize, maxSize: $maxSize, first: $first, after: $after, last: $last, before: $before) {
      totalCount pageInfo { endCursor startCursor hasNextPage hasPreviousPage } nodes { uuid } } }`;
  type Page = Nodes<{ uuid: string }> & {
    totalCount: number;
    pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean };
  };
  const ask = async (variables: object) => (await uploader.graphql<{ tdbs: Page }>(query, variables)).data.tdbs;
  test("are filtered by creation day and by size", async () => {
    const created = (row: Row) => new Intl.DateTimeFormat("sv-SE", { timeZone: "Africa/Lusaka" }).format(row.created);
    const [createdStart, createdEnd] = [days.start, days.end];
    const sizes = rows.map(({ size }) => size).toSorted((a, b) => a - b);
    const [minSize, maxSize] = [sizes[Math.floor(sizes.length / 4)]!, sizes[Math.floor(sizes.length / 2)]!];
    const expected = rows.filter(
      (row) => created(row) >= createdStart && created(row) <= createdEnd && row.size >= minSize && row.size <= maxSize,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect((await ask({ createdStart, createdEnd, minSize, maxSize })).totalCount).toBe(expected.length);
    expect((await uploader.graphql(query, { minSize: 10, maxSize: 5 })).errors![0].extensions.errors?.[0].path).toBe(
      "maxSize",
    );
    expect(
      (await uploader.graphql(query, { createdStart: createdEnd, createdEnd: "2001-01-01" })).errors![0].extensions
        .errors?.[0].path,
    ).toBe("createdEnd");
  });

  test("are counted for people with the right only", async () => {
    const count = "query ($start: Date!, $end: Date!) { tdbCount(start: $start, end: $end) }";
    expect((await uploader.graphql(count, days)).data.tdbCount).toBe(inDays().length);
    expect((await (await gateway.as("viewer")).graphql(count, days)).errors![0].extensions.code).toBe("FORBIDDEN");
  });
});
