import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readCsv } from "./csv.ts";
import { type CsvRow, readRows } from "./csvRows.ts";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "csv-test-"))));
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string | Buffer) {
  const file = join(folder, "list.csv");
  await writeFile(file, text);
  const { header, rows, errors } = await readCsv(file);
  return { header, rows: rows.map(({ line, cells }) => [line, ...cells]), errors: errors.map(({ line }) => line) };
}

const header = ["a", "b"];

test.each([
  [
    "plain",
    "a,b\n1,2\n3,4\n",
    [
      [2, "1", "2"],
      [3, "3", "4"],
    ],
  ],
  ["no line end after the last row", "a,b\n1,2", [[2, "1", "2"]]],
  [
    "a byte order mark and CRLF",
    "\u{FEFF}a,b\r\n1,2\r\n3,4\r\n",
    [
      [2, "1", "2"],
      [3, "3", "4"],
    ],
  ],
  [
    "line ends of all sorts",
    "a,b\r\n1,2\n3,4\r5,6",
    [
      [2, "1", "2"],
      [3, "3", "4"],
      [4, "5", "6"],
    ],
  ],
  ["quotes, commas and doubled quotes", 'a,b\n"1,1","say ""hi"""\n', [[2, "1,1", 'say "hi"']]],
  [
    "line breaks within a cell: the row's first line counts",
    'a,b\r\n"1\r\n1","2\n2"\r\n3,4\r\n',
    [
      [2, "1\r\n1", "2\n2"],
      [5, "3", "4"],
    ],
  ],
  ["a line that names the separator", "sep=;\r\na;b\r\n1,1;2\r\n", [[3, "1,1", "2"]]],
  ["a quoted line that names the separator", '\u{FEFF}"sep=|"\na|b\n1|2\n', [[3, "1", "2"]]],
  [
    "rows that end after their last filled cell, or have empty cells after the last column",
    "a,b\n1\n1,2\n1,2,, \n",
    [
      [2, "1", ""],
      [3, "1", "2"],
      [4, "1", "2"],
    ],
  ],
  [
    "empty lines",
    "\n\na,b\n\n1,2\n\n\n3,4\n\n",
    [
      [5, "1", "2"],
      [8, "3", "4"],
    ],
  ],
])("reads %s", async (_name, text, rows) => {
  expect(await read(text)).toEqual({ header, rows, errors: [] });
});

test.each([
  ["too many cells", "a,b\n1,2,3\n1,2\n1,2,,3\n", [[3, "1", "2"]], [2, 4]],
  [
    "a quote within an unquoted cell, and reads the rows after it",
    'a,b\n1,x"y\n3,4\nz"z,1\n5,6\n',
    [
      [3, "3", "4"],
      [5, "5", "6"],
    ],
    [2, 4],
  ],
  ["text after a closing quote", 'a,b\n1,2\n"3"3,4\n', [[2, "1", "2"]], [3]],
  ["a quote that is never closed", 'a,b\n1,2\n3,"4\n5,6\n7,8\n', [[2, "1", "2"]], [3]],
])("reports the lines of %s", async (_name, text, rows, errors) => {
  expect(await read(text)).toEqual({ header, rows, errors });
});

test.each(["\n", "\r\n", "\r"])("reports the line of each malformed row among many, with line ends %j", async (end) => {
  const kinds = [
    'x,In"side',
    '"Q"after,x',
    "x,good",
    "too,many,cells",
    '"two' + end + 'lines",x',
    '"two' + end + 'lines"x,x',
  ];
  const [lines, wrong, right]: [string[], number[], number[]] = [["a,b"], [], []];
  let line = 2;
  for (let index = 0; index < 600; index += 1) {
    const text = kinds[(index * 7) % kinds.length]!;
    lines.push(text);
    (text === "x,good" || text === kinds[4] ? right : wrong).push(line);
    line += text.split(end).length;
  }
  const { rows, errors } = await read(lines.join(end));
  expect([rows.map(([at]) => at), errors]).toEqual([right, wrong]);
});

test("reads random rows as they were written, with their lines, in pieces of any size", async () => {
  let seed = 19;
  const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const signs = ["a", "é", "😀", '"', ",", ";", "\n", "\r\n", "\r", " ", "", "1"];
  for (let round = 0; round < 300; round += 1) {
    const end = ["\n", "\r\n", "\r"][below(3)]!;
    const rows = Array.from({ length: 1 + below(8) }, () =>
      Array.from({ length: 3 }, () => Array.from({ length: below(6) }, () => signs[below(signs.length)]!).join("")),
    );
    const lines = rows.map((cells) =>
      cells
        .map((cell) => (/[",\r\n]/.test(cell) || below(3) === 0 ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(","),
    );
    const bytes = Buffer.from(lines.join(end));
    async function* pieces() {
      for (let at = 0; at < bytes.length;) yield bytes.subarray(at, (at += 1 + below(9)));
    }
    const found: CsvRow[] = [];
    await readRows(pieces(), ",", {
      row: (row) => void found.push(row),
      fault: (line, reason) => expect.fail(`${line}: ${reason}`),
    });
    const lineOf = (index: number) =>
      lines
        .slice(0, index)
        .join("")
        .split(/\r\n|\r|\n/).length + index;
    expect(found, JSON.stringify(lines)).toEqual(rows.map((cells, index) => ({ line: lineOf(index), cells })));
  }
});

test("says how far a malformed row goes, if one of its quotes goes over line ends", async () => {
  async function* pieces() {
    yield Buffer.from('x,y\na"b,"c\nd,e"\nlast,row\n');
  }
  const reports: [number, string][] = [];
  await readRows(pieces(), ",", { row: () => {}, fault: (line, reason) => void reports.push([line, reason]) });
  expect(reports).toEqual([[2, expect.stringContaining("(the row goes on to line 3, because of a quote)")]]);
});

test.each([
  ["in a cell that begins with a quote", '"""a"" b",1', []],
  ["in one cell, and rightly in another", 'a"b,"c""d"', [{ line: 2, index: 0, text: "a" }]],
  ["behind a closed cell with the same text", '"a"b,"""a"""', [{ line: 2, index: 0, text: "a" }]],
  ["in a row with a quoted line break", 'a"b,"c\r\nd"', [{ line: 2, index: 0, text: "a" }]],
])("finds a misplaced quote %s, and reads the row after it", async (_name, text, faults) => {
  async function* pieces() {
    yield Buffer.from(`x,y\r\n${text}\r\nlast,row`);
  }
  const [rows, found]: [CsvRow[], unknown[]] = [[], []];
  await readRows(pieces(), ",", {
    row: (row) => void rows.push(row),
    fault: (line, _reason, cell) => void found.push({ line, ...cell }),
  });
  expect(found).toEqual(faults);
  expect(rows.at(-1)).toEqual({ line: text.split("\r\n").length + 2, cells: ["last", "row"] });
});

test.each<[string, string | Buffer, unknown[]]>([
  ["semicolons", "a;b\n1,5;2\n", [[2, "1,5", "2"]]],
  ["semicolons behind quoted commas", '"a";"b"\n"1;1";"x, y"\n', [[2, "1;1", "x, y"]]],
  ["Windows-1252", Buffer.from("a;b\nCh\xe2teau;\x93x\x94\n", "latin1"), [[2, "Château", "“x”"]]],
  [
    "damaged UTF-8",
    Buffer.concat([Buffer.from("a,b\né,"), Buffer.from([0xff]), Buffer.from("\n")]),
    [[2, "é", "\u{FFFD}"]],
  ],
  ["Windows-1252 at the very end", Buffer.from("a,b\nx,caf\xe9", "latin1"), [[2, "x", "café"]]],
])("reads %s", async (_name, text, rows) => expect(await read(text)).toEqual({ header, rows, errors: [] }));

test("returns no header and no rows if the header is malformed or missing", async () => {
  expect(await read('a,"b"c"\n1,2\n')).toEqual({ header: [], rows: [], errors: [1] });
  expect(await read("")).toEqual({ header: [], rows: [], errors: [1] });
});

test("reads a file of many chunks", async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `"row ${index}, ${"😀".repeat(index % 9)}",${index}`);
  const { rows, errors } = await read(`a,b\r\n${lines.join("\r\n")}\r\n`);
  expect(errors).toEqual([]);
  expect(rows).toHaveLength(20_000);
  expect(rows.at(-1)).toEqual([20_001, `row 19999, ${"😀".repeat(19_999 % 9)}`, "19999"]);
});

test("reports why a file cannot be read", async () => {
  expect((await readCsv(join(folder, "none.csv"))).errors).toEqual([
    { file: join(folder, "none.csv"), line: 0, reason: "there is no such file" },
  ]);
  expect((await readCsv(folder)).errors[0]!.reason).toBe("is a folder");
});
