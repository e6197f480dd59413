import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

import { expect, test } from "vitest";

/**
 * Names and conventions of this repository that lint does not check. The import rules between folders are in
 * support/walls.ts.
 */

/** With untracked files, without deleted ones. */
const allFiles = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(file));
const files = allFiles.filter(
  (file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith("client/gql/") && file !== "db/schema.ts",
);
const read = (file: string): string => readFileSync(file, "utf8");
const within = (room: string) => files.filter((file) => file.startsWith(room));

test("no file has a vague name such as utils or helpers", () => {
  const vague = /^(utils?|helpers?|types?|index|common|misc|shared)\.(ts|tsx)$/;
  expect(files.filter((file) => vague.test(basename(file)))).toEqual([]);
});

test("only gateway/env.ts and the command-line sender read the environment", () => {
  // Where the build sets or replaces NODE_ENV, it is not read.
  const reading = /process\.env\b(?!\.NODE_ENV(": | = "))|\benv\b[^\n]*"(?:node:)?process"/;
  const readers = files.filter((file) => /^(client|gateway|db|migrations)\//.test(file) && reading.test(read(file)));
  // The command-line sender is a program of its own, on the sender's machine.
  expect(readers).toEqual(["client/tdb/sender/callingUp.ts", "gateway/env.ts"]);
});

test("no code uses the time zone of its process or device: dates and times are in the ministry's zone", () => {
  const elsewhere: Record<string, string> = {
    "client/shell/frame/Footer.tsx": "the year of the copyright",
    "client/ui/field/CalendarPopover.tsx": "Blueprint's calendar takes and gives whole days as dates of the device",
    "client/assessment/LocationField.tsx": "the device's own clock, which the person sees beside it",
  };
  const patterns = [
    /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes)\(|getTimezoneOffset/,
    /\.to(?:Date|Time)String\(|\.toLocale(?:Date|Time)String\((?![^)]*timeZone)/,
    /DateTimeFormat\((?![^)]*timeZone)/,
    // A Date of numbers, or of a text without a zone.
    /new Date\([^()]+,|new Date\("[^"]*\dT[\d:.]*"\)/,
    /"timestamp"|`timestamp`|\btimestamp without/,
  ];
  const offenders = files.filter(
    (file) =>
      /^(client|gateway|db|migrations)\//.test(file) &&
      !file.includes(".test.") &&
      patterns.some((pattern) => pattern.test(read(file))),
  );
  expect(offenders.filter((file) => !(file in elsewhere))).toEqual([]);
});

test("the client uses no lookbehind, and no dynamic height without a fixed one before it, for the oldest browsers", () => {
  // Safari 15.4 refuses a script with a lookbehind. Chromium 106 ignores a dynamic height, so the line before must set
  // a fixed one.
  const lookBehind = /\(\?<[!=]/;
  expect(within("client/").filter((file) => !file.startsWith("client/build/") && lookBehind.test(read(file)))).toEqual(
    [],
  );
  const unguarded = allFiles
    .filter((file) => file.startsWith("client/") && file.endsWith(".css"))
    .flatMap((file) => {
      const lines = read(file).split("\n");
      return lines
        .filter((line, index) => /\d[dsl]vh/.test(line) && lines[index - 1] !== line.replaceAll(/(\d)[dsl]vh/g, "$1vh"))
        .map((line) => `${file}: ${line.trim()}`);
    });
  expect(unguarded).toEqual([]);
});

test("tests wait for a page's address, because the browser updates it after the page's content", () => {
  const readAtOnce = /expect\((?:new URL\()?(?:\w+\.)?page\.url\(\)/;
  expect(within("test/").filter((file) => file !== "test/house.test.ts" && readAtOnce.test(read(file)))).toEqual([]);
});

test("migrations are named by time and purpose, and no two have the same time", () => {
  const names = within("migrations/")
    .map((file) => basename(file))
    .toSorted();
  for (const name of names) expect(name).toMatch(/^\d{8}T\d{4}-[a-z0-9-]+\.ts$/);
  expect(names.map((name) => name.slice(0, 13))).toEqual(
    [...new Set(names.map((name) => name.slice(0, 13)))].toSorted(),
  );
});

test("gateway files end in a known role", () => {
  const roles = /^[a-z][A-Za-z]*(\.(rules|graphql|rest|command|test))*\.(ts|mjs)$/;
  const strays = within("gateway/").filter((file) => !file.startsWith("gateway/demo/") && !roles.test(basename(file)));
  expect(strays).toEqual([]);
});

test("functions of db that take the handle first have a known verb in their name", () => {
  const plain = /^export (?:async )?function (\w+)\(\s*(\w+)/gm;
  const verbs = /^(find|lock|list|count|insert|update|delete|upsert|search|refresh|rebuild|sum|load)[A-Z]/;
  const offenders = within("db/").flatMap((file) =>
    [...read(file).matchAll(plain)]
      .filter(([, name, first]) => first === "handle" && !verbs.test(name!))
      .map(([, name]) => `${file}: ${name}`),
  );
  expect(offenders).toEqual([]);
});

/**
 * The exported functions of a file whose parameters name a handle, but whose first one is none. A callback's own
 * parameters do not count.
 */
const withLateHandle = (text: string): string[] =>
  [
    ...text.matchAll(
      /^export (?:(?:async )?function\*? (\w+)|const (\w+) = (?:async )?)(?:<[^()]*>)?\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/gm,
    ),
  ]
    .map(([, name, constant, params]) => ({
      name: name ?? constant!,
      params: params!.replaceAll(/\([^()]*\) =>/g, "=>").trim(),
    }))
    .filter(
      ({ params }) =>
        /\b(?:Handle|Database|Kysely<|Transaction<)/.test(params) &&
        !/^\w+: (?:Handle|Database|Kysely<|Transaction<)/.test(params),
    )
    .map(({ name }) => name);

test("functions of db take the handle first", () => {
  // db/engine makes and wraps handles.
  const queries = within("db/").filter((file) => !file.startsWith("db/engine/") && !file.includes(".test."));
  expect(queries.flatMap((file) => withLateHandle(read(file)).map((name) => `${file}: ${name}`))).toEqual([]);
  const late = [
    "export async function listClinics(\n  page: PageInput,\n  handle: Handle,\n): Promise<Row[]> {",
    "export const findClinic = ({ db }: { db: Database }) =>",
    "export function sumClinics<Row>(rows: Row[], handle?: Handle) {",
  ];
  expect(late.flatMap(withLateHandle)).toEqual(["listClinics", "findClinic", "sumClinics"]);
  const first = [
    "export async function listClinics(handle: Handle, page: PageInput) {",
    "export const limitsOf = (open: (db: Database) => Limits) =>",
    "export function nameOf(name: string) {",
  ];
  expect(first.flatMap(withLateHandle)).toEqual([]);
});

test("a component file is named after its component and ends in a known kind", () => {
  const kinds =
    /(Screen|Dialog|Form|Table|Section|Tab|Card|Panel|List|Link|Chart|Controls|Sheet|Notice|Button|Field|Hint|Links|Note)\.tsx$/;
  const nouns = within("client/").filter(
    (file) =>
      /^client\/(?!(ui|shell|store|gql|build|explorer)\/)[^/]+\/.*\.tsx$/.test(file) && !file.includes(".test."),
  );
  expect(nouns.filter((file) => !kinds.test(file) && !/\/With[A-Z]\w+\.tsx$/.test(file))).toEqual([]);
  for (const file of nouns)
    expect(read(file), file).toMatch(new RegExp(`export (async )?function ${basename(file, ".tsx")}\\b`));
});

/** The operations and fragments of a file of the client that are not named after it. */
const misnamed = (file: string, text: string): string[] => {
  const name = basename(file)
    .replace(/\.tsx?$/, "")
    .replace(/^./, (letter) => letter.toUpperCase());
  return [...text.matchAll(/\b(query|mutation|fragment) ([A-Za-z]\w*)\s*(?:\(|\{|on )/g)]
    .filter(([, kind, operation]) => {
      if (file.startsWith("client/explorer/")) return false;
      if (kind === "fragment") return !operation!.startsWith(`${name}_`);
      return !(operation!.startsWith(`${name}Query`) || operation!.startsWith(`${name}_`));
    })
    .map(([, kind, operation]) => `${file}: ${kind} ${operation}`);
};

test("operations and fragments are named after their file", () => {
  expect(within("client/").flatMap((file) => misnamed(file, read(file)))).toEqual([]);
  const text =
    "fragment FacilityTable_Facility on Facility { a } fragment Other_Facility on Facility { a } query Clinics { a } mutation FacilityTable_save { a } query FacilityTableQuery($a: Int) { a }";
  expect(misnamed("client/facility/FacilityTable.tsx", text)).toEqual(
    ["fragment Other_Facility", "query Clinics"].map((fault) => `client/facility/FacilityTable.tsx: ${fault}`),
  );
});

/**
 * The lines that switch off a type or a lint rule without a reason. A reason is a comment on the line or on one of the
 * two lines before it, or the end of the disabling comment.
 */
const unreasoned = (file: string, text: string): string[] => {
  const lines = text.split("\n");
  const isComment = (line: string | undefined) => /^\s*(?:\/\/|\/?\*)|\s\/\/ |\/\* /.test(line ?? "");
  return lines.flatMap((line, at) => {
    const isRule = /(?:ox|es)lint-disable|@ts-(?:expect-error|ignore|nocheck)/.test(line);
    const isCast = !isComment(line) && /\bas (?:never|any(?! (?!as )\w)|unknown as)\b/.test(line);
    const hasReason = isRule ? / -- \S/.test(line) : [line, lines[at - 1], lines[at - 2]].some(isComment);
    return (isRule || isCast) && !hasReason ? [`${file}:${at + 1}`] : [];
  });
};

test("every line that switches off a type or a lint rule has a reason", () => {
  // These two contain such lines as test data.
  const withExamples = new Set(["test/house.test.ts", "test/walls.test.ts"]);
  const checked = files.filter(
    (file) => /^(client|gateway|db|migrations|test)\//.test(file) && !withExamples.has(file),
  );
  expect(checked.flatMap((file) => unreasoned(file, read(file)))).toEqual([]);
  for (const line of [
    "const a = b as never;",
    "f(a as unknown as B);",
    "// oxlint-disable-next-line no-eval",
    "// @ts-expect-error",
  ])
    expect(unreasoned("a.ts", `\n\n${line}`), line).toEqual(["a.ts:3"]);
  expect(
    unreasoned(
      "test/a.test.ts",
      'test("a name works as any other", () => {\n  f();\n  expect(rowsOf(a as any as Row[])).toEqual([]);',
    ),
  ).toEqual(["test/a.test.ts:3"]);
  expect(
    unreasoned(
      "a.ts",
      "// pg's types lack it.\nconst a = b as never;\n// oxlint-disable-next-line no-eval -- it is a constant",
    ),
  ).toEqual([]);
});

test("each lint rule that is off has its reason in its line", () => {
  const off = read(".oxlintrc.json")
    .split("\n")
    .filter((line) => line.includes('": "off"'));
  expect(off.length).toBeGreaterThan(10);
  expect(off.filter((line) => !/ \/\/ \S/.test(line))).toEqual([]);
});

test("links to screens are written in routes.ts only", () => {
  const link = /(?:to|href|navigate\()=?[{(]?["'`]#?\/(?!\/)[a-z]/;
  const elsewhere = within("client/").filter(
    (file) => file !== "client/routes.ts" && !file.includes(".test.") && link.test(read(file)),
  );
  expect(elsewhere).toEqual([]);
});

test("each export is named in another file", () => {
  const namedIn = new Map<string, Set<string>>();
  for (const file of files)
    for (const [word] of read(file).matchAll(/\w+/g)) namedIn.set(word, (namedIn.get(word) ?? new Set()).add(file));
  const exported = /^export (?:async )?(?:const|let|class|function\*?) (\w+)/gm;
  const lonely = files
    // Kysely looks up the exports of migrations by name, and libraries import those of shims.
    .filter((file) => !file.startsWith("migrations/") && !file.startsWith("client/shell/shim/"))
    .flatMap((file) =>
      [...read(file).matchAll(exported)]
        .filter(([, name]) => namedIn.get(name!)!.size === 1)
        .map(([, name]) => `${file}: ${name}`),
    );
  expect(lonely).toEqual([]);
});

test("each dependency and each override is in docs/decisions/dependencies.md", () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read("package.json")) as Record<
    string,
    Record<string, unknown>
  >;
  const [verdicts, reasons] = read("docs/decisions/dependencies.md").split("\n## Overrides\n") as [string, string];
  expect(
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      (name) => !verdicts.includes(`\`${name}\``),
    ),
  ).toEqual([]);
  expect(Object.keys(overrides!).filter((name) => !reasons.includes(`| \`${name}\``))).toEqual([]);
});
