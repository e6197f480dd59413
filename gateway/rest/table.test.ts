import { setTimeout } from "node:timers/promises";

import Fastify from "fastify";
import { expect, test } from "vitest";

import { type CsvCell, csvRow } from "../../db/list/csv.ts";
import { openWorkbook } from "../registry/reading/workbook.ts";
import { sendTable, type TableFormat } from "./table.ts";
import { withinSheet } from "./workbook/workbook.ts";

test.each<[string, CsvCell[], string]>([
  ["texts and numbers", ["Kabwe", 12, -3.5], "Kabwe,12,-3.5"],
  ["true, false, null and an empty text", [true, false, null, ""], "true,false,,"],
  ["a comma", ["a, b", "c"], '"a, b",c'],
  ["quotes", ['say "no"'], '"say ""no"""'],
  ["a line break", ["a\nb", "c\r\nd"], '"a\nb","c\r\nd"'],
  ["spaces at the ends", [" a", "b "], '" a","b "'],
  ["a formula", ["=1+1"], "'=1+1"],
  ["plus, minus and at", ["+260", "-1", "@sum"], "'+260,'-1,'@sum"],
  ["a formula behind a tab or carriage return", ["\t=1", "\r=1"], "'\t=1,\"'\r=1\""],
  ["a formula that needs quotes", ['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
  ["a sign inside a text", ["a=b", "1-2"], "a=b,1-2"],
  ["markup and other scripts", ["<b>ŋ</b>", "😀"], "<b>ŋ</b>,😀"],
])("the line of %s", (_, cells, line) => {
  expect(csvRow(cells)).toBe(`${line}\r\n`);
});

async function* count(to: number, onEnd: () => void = () => {}) {
  try {
    for (let row = 1; row <= to; row += 1) yield [row, `row ${row}`];
  } finally {
    onEnd();
  }
}

async function* slowly(onEnd: () => void) {
  for await (const row of count(1e9, onEnd)) {
    if ((row[0] as number) % 1000 === 0) await setTimeout(1);
    yield row;
  }
}

const serving = (rows: () => AsyncIterable<readonly CsvCell[]>, format: TableFormat = "csv") => {
  const server = Fastify();
  server.get("/", (_, reply) => sendTable(reply, { name: 'a "b"/c', format }, ["id", "name"], rows()));
  return server;
};

test("a file has a byte order mark, a header, every row once, and a safe name", async () => {
  const answer = await serving(() => count(20_000)).inject("/");
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="a-b-c.csv"');
  expect([...answer.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = answer.payload.slice(1).split("\r\n");
  expect(lines).toHaveLength(20_002);
  expect(lines.slice(0, 2)).toEqual(["id,name", "1,row 1"]);
  expect(lines.slice(-2)).toEqual(["20000,row 20000", ""]);
});

test("a file without rows has only its header", async () => {
  const answer = await serving(() => count(0)).inject("/");
  expect(answer.payload.slice(1)).toBe("id,name\r\n");
});

test("an error before the first row is answered with its status", async () => {
  const rows = async function* (): AsyncGenerator<CsvCell[]> {
    if (Date.now() > 0) throw Object.assign(new Error("no right"), { statusCode: 403 });
    yield [];
  };
  expect((await serving(rows).inject("/")).statusCode).toBe(403);
});

test("a workbook has a header, numbers, days and every text as it is", async () => {
  const odd = "a_x0041_b \u0001 <&> \r\n \t😀";
  const texts = ["=1+1", " a ", odd, "2026-02-30", "1899-12-31", "x".repeat(40_000)];
  const rows = async function* (): AsyncGenerator<CsvCell[]> {
    for (const text of texts) yield [1.5, text];
    yield [null, "2026-11-29"];
    yield [true, "0012"];
  };
  const answer = await serving(rows, "xlsx").inject("/");
  expect(answer.headers).toMatchObject({
    "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "content-disposition": 'attachment; filename="a-b-c.xlsx"',
  });
  const read: string[][] = [];
  const book = await openWorkbook(answer.rawPayload);
  await book.rows(book.sheets[0]!, ({ cells }) => read.push(cells));
  expect(read).toEqual([
    ["id", "name"],
    ...texts.map((text) => ["1.5", text.slice(0, 32_767)]),
    ["", "2026-11-29"],
    ["true", "0012"],
  ]);
});

test("more rows than a sheet holds are refused in words", async () => {
  const endless = async function* (): AsyncGenerator<number> {
    for (;;) yield 1;
  };
  let count = 0;
  await expect(async () => {
    for await (const row of withinSheet(endless())) count += row;
  }).rejects.toThrow("A sheet of Excel holds 1048576 rows, and this list has more. Ask for CSV.");
  expect(count).toBe(1_048_575);
});

test("an error while a workbook is sent breaks it off", async () => {
  const rows = async function* (): AsyncGenerator<CsvCell[]> {
    yield* count(200_000) as AsyncGenerator<CsvCell[]>;
    throw new Error("away");
  };
  const server = serving(rows, "xlsx");
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  await expect(fetch(url).then((answer) => answer.arrayBuffer())).rejects.toThrow("terminated");
  await server.close();
});

test.each<TableFormat>(["csv", "xlsx"])("aborting the download of %s ends the reading of rows", async (format) => {
  const ended = new Promise<string>((resolve) => {
    const server = serving(() => slowly(() => resolve("ended")), format);
    void server.listen({ port: 0, host: "127.0.0.1" }).then(async (url) => {
      const leaving = new AbortController();
      const answer = await fetch(url, { signal: leaving.signal });
      await answer.body!.getReader().read();
      leaving.abort();
      await ended;
      await server.close();
    });
  });
  expect(await ended).toBe("ended");
});
