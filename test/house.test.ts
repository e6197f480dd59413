import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

import { expect, test } from "vitest";

import { chunks } from "../client/build/chunks.ts";

/** Names and habits of the house that lint does not know. The walls between rooms are in support/walls.ts. */

/** Also those that git does not know yet, and without those that are removed. */
const allFiles = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(file));
const files = allFiles.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith("client/gql/") && file !== "db/schema.ts");
const read = (file: string): string => readFileSync(file, "utf8");
const within = (room: string) => files.filter((file) => file.startsWith(room));

test("there are rooms to look at", () => {
  for (const room of ["client/", "gateway/", "db/", "migrations/", "test/"]) expect(within(room).length).toBeGreaterThan(5);
});

test("no file is a drawer for everything", () => {
  const vague = /^(utils?|helpers?|types?|index|common|misc|shared)\.(ts|tsx)$/;
  expect(files.filter((file) => vague.test(basename(file)))).toEqual([]);
  for (const name of ["utils.ts", "helper.tsx", "types.ts", "index.ts"]) expect(vague.test(name), name).toBe(true);
});

test("the environment is read in one place", () => {
  // What the build writes into it and in its stead is no reading of it.
  const reading = /process\.env\b(?!\.NODE_ENV(": | = "))|\benv\b[^\n]*"(?:node:)?process"/;
  const readers = files.filter((file) => /^(client|gateway|db|migrations)\//.test(file) && reading.test(read(file)));
  // The command-line sender is a program of its own, on the sender's machine.
  expect(readers).toEqual(["client/tdb/sender/callingUp.ts", "gateway/env.ts"]);
  for (const line of ['process.env["PORT"]', "const { PORT } = process.env;", 'import { env } from "node:process";']) expect(reading.test(line), line).toBe(true);
});

test("no code asks for the time zone of its process or device: days, months and times of day are the ministry's", () => {
  const elsewhere: Record<string, string> = {
    "client/shell/frame/Footer.tsx": "the year of the copyright",
    "client/assessment/LocationField.tsx": "the device's own clock, which the person sees beside it",
  };
  const asks = [
    /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes)\(|getTimezoneOffset/,
    /\.to(?:Date|Time)String\(|\.toLocale(?:Date|Time)String\((?![^)]*timeZone)/,
    /DateTimeFormat\((?![^)]*timeZone)/,
    // Of numbers, or of a text without a zone.
    /new Date\([^()]+,|new Date\("[^"]*\dT[\d:.]*"\)/,
    /"timestamp"|`timestamp`|\btimestamp without/,
  ];
  const askers = files.filter((file) => /^(client|gateway|db|migrations)\//.test(file) && !file.includes(".test.") && asks.some((pattern) => pattern.test(read(file))));
  expect(askers.filter((file) => !(file in elsewhere))).toEqual([]);
  for (const line of ["at.getHours()", "new Intl.DateTimeFormat(\"en-GB\", { timeStyle: \"short\" })", "new Date(2026, 9, 1)", "at.toLocaleDateString(\"en\")"])
    expect(asks.some((pattern) => pattern.test(line)), line).toBe(true);
});

test("the client asks the oldest browsers for nothing that they lack and that the build does not replace", () => {
  // Safari 15.4 refuses a script with a look behind; Chromium 106 drops a line with a dynamic height, so that the line before counts.
  const lookBehind = /\(\?<[!=]/;
  expect(within("client/").filter((file) => !file.startsWith("client/build/") && lookBehind.test(read(file)))).toEqual([]);
  expect(["/(?<!s)s$/", "/(?<=a)b/"].every((line) => lookBehind.test(line)) && !lookBehind.test("/(?<year>\\d)/")).toBe(true);
  const alone = allFiles
    .filter((file) => file.startsWith("client/") && file.endsWith(".css"))
    .flatMap((file) => {
      const lines = read(file).split("\n");
      return lines.filter((line, index) => /\d[dsl]vh/.test(line) && lines[index - 1] !== line.replaceAll(/(\d)[dsl]vh/g, "$1vh")).map((line) => `${file}: ${line.trim()}`);
    });
  expect(alone).toEqual([]);
});

test("a page's address is waited for: the browser tells it after what the page shows", () => {
  const readAtOnce = /expect\((?:new URL\()?(?:\w+\.)?page\.url\(\)/;
  expect(within("test/").filter((file) => file !== "test/house.test.ts" && readAtOnce.test(read(file)))).toEqual([]);
  expect(readAtOnce.test("expect(new URL(screen.page.url()).hash).toBe(hash);")).toBe(true);
  expect(readAtOnce.test("await expect.poll(() => page.url()).toContain(hash);")).toBe(false);
});

test("migrations are named by time and purpose, in one order", () => {
  const names = within("migrations/").map((file) => basename(file)).toSorted();
  for (const name of names) expect(name).toMatch(/^\d{8}T\d{4}-[a-z0-9-]+\.ts$/);
  expect(names.map((name) => name.slice(0, 13))).toEqual([...new Set(names.map((name) => name.slice(0, 13)))].toSorted());
});

test("gateway files end in a known role", () => {
  const roles = /^[a-z][A-Za-z]*(\.(rules|graphql|rest|command|test))*\.(ts|mjs)$/;
  const strays = within("gateway/").filter((file) => !file.startsWith("gateway/demo/") && !roles.test(basename(file)));
  expect(strays).toEqual([]);
});

test("queries of db take the handle first and are named by what they do", () => {
  const plain = /^export (?:async )?function (\w+)\(\s*(\w+)/gm;
  const verbs = /^(find|lock|list|count|insert|update|delete|upsert|search|refresh|rebuild|sum|load)[A-Z]/;
  const offenders = within("db/").flatMap((file) =>
    [...read(file).matchAll(plain)].filter(([, name, first]) => first === "handle" && !verbs.test(name!)).map(([, name]) => `${file}: ${name}`),
  );
  expect(offenders).toEqual([]);
  const [[, name, first] = []] = [..."export async function clinics(handle: Handle) {".matchAll(plain)];
  expect([name, first, verbs.test("clinics"), verbs.test("listClinics")]).toEqual(["clinics", "handle", false, true]);
});

test("a component file is named after its component and ends in what it is", () => {
  const kinds = /(Screen|Dialog|Form|Table|Section|Tab|Card|Panel|List|Link|Chart|Controls|Sheet|Notice|Button|Field|Hint|Links|Note)\.tsx$/;
  const nouns = within("client/").filter(
    (file) => /^client\/(?!(ui|shell|store|gql|build|explorer)\/)[^/]+\/.*\.tsx$/.test(file) && !file.includes(".test."),
  );
  expect(nouns.filter((file) => !kinds.test(file) && !/\/With[A-Z]\w+\.tsx$/.test(file))).toEqual([]);
  expect(["ClinicTable.tsx", "Clinic.tsx"].filter((file) => kinds.test(file))).toEqual(["ClinicTable.tsx"]);
  for (const file of nouns) expect(read(file), file).toMatch(new RegExp(`export (async )?function ${basename(file, ".tsx")}\\b`));
});

/** The operations and fragments of a file of the client that are not named after it. */
const misnamed = (file: string, text: string): string[] => {
  const name = basename(file).replace(/\.tsx?$/, "").replace(/^./, (letter) => letter.toUpperCase());
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
  const text = "fragment FacilityTable_Facility on Facility { a } fragment Other_Facility on Facility { a } query Clinics { a } mutation FacilityTable_save { a } query FacilityTableQuery($a: Int) { a }";
  expect(misnamed("client/facility/FacilityTable.tsx", text)).toEqual(["fragment Other_Facility", "query Clinics"].map((fault) => `client/facility/FacilityTable.tsx: ${fault}`));
});

/** The lines that take a type or a lint rule out of force without a reason: a comment on the line or on one of the two lines before it, or the end of the disabling comment. */
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

test("whatever takes a type or a lint rule out of force says why", () => {
  // These two hold such lines as texts, to see that they are found.
  const withExamples = new Set(["test/house.test.ts", "test/walls.test.ts"]);
  const looked = files.filter((file) => /^(client|gateway|db|migrations|test)\//.test(file) && !withExamples.has(file));
  expect(looked.flatMap((file) => unreasoned(file, read(file)))).toEqual([]);
  for (const line of ["const a = b as never;", "f(a as unknown as B);", "// oxlint-disable-next-line no-eval", "// @ts-expect-error"]) expect(unreasoned("a.ts", `\n\n${line}`), line).toEqual(["a.ts:3"]);
  expect(unreasoned("test/a.test.ts", 'test("a name works as any other", () => {\n  f();\n  expect(rowsOf(a as any as Row[])).toEqual([]);')).toEqual(["test/a.test.ts:3"]);
  expect(unreasoned("a.ts", "// pg's types lack it.\nconst a = b as never;\n// oxlint-disable-next-line no-eval -- it is a constant")).toEqual([]);
});

test("each rule of lint that is off has its reason in the decisions", () => {
  const { rules } = JSON.parse(read(".oxlintrc.json")) as { rules: Record<string, unknown> };
  const reasons = read("docs/decisions/test.md").split("## Rules of lint that are off")[1]!;
  const off = Object.keys(rules).filter((rule) => rules[rule] === "off");
  expect(off.length).toBeGreaterThan(0);
  expect(off.filter((rule) => !reasons.includes(`| \`${rule}\` |`))).toEqual([]);
});

test("links to screens are spelt in routes.ts only", () => {
  const spelt = /(?:to|href|navigate\()=?[{(]?["'`]#?\/(?!\/)[a-z]/;
  const elsewhere = within("client/").filter((file) => file !== "client/routes.ts" && !file.includes(".test.") && spelt.test(read(file)));
  expect(elsewhere).toEqual([]);
  for (const line of ['<Link to="/facility/1">', "navigate(`/district/${id}`)", 'href="#/user"']) expect(spelt.test(line), line).toBe(true);
});

test("what is exported is named in another file too", () => {
  const namedIn = new Map<string, Set<string>>();
  for (const file of files) for (const [word] of read(file).matchAll(/\w+/g)) namedIn.set(word, (namedIn.get(word) ?? new Set()).add(file));
  const exported = /^export (?:async )?(?:const|let|class|function\*?) (\w+)/gm;
  const lonely = files
    // Kysely and Blueprint look for theirs by name.
    .filter((file) => !file.startsWith("migrations/") && file !== "client/shell/shim/noIconsByName.ts")
    .flatMap((file) => [...read(file).matchAll(exported)].filter(([, name]) => namedIn.get(name!)!.size === 1).map(([, name]) => `${file}: ${name}`));
  expect(lonely).toEqual([]);
});

test("a chunk names files that there are", () => {
  const stems = new Set(allFiles.flatMap((file) => [file, file.replace(/\.(tsx?|css)$/, "")]));
  const missing = chunks.flatMap(({ name, files: named = [] }) => named.filter((file) => !stems.has(file) && !file.startsWith("client/gql/")).map((file) => `${name}: ${file}`));
  expect(missing).toEqual([]);
});

test("each dependency and each override has its verdict in the decisions", () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read("package.json")) as Record<string, Record<string, unknown>>;
  const [verdicts, reasons] = read("docs/decisions/dependencies.md").split("\n## Overrides\n") as [string, string];
  expect(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter((name) => !verdicts.includes(`\`${name}\``))).toEqual([]);
  expect(Object.keys(overrides!).filter((name) => !reasons.includes(`| \`${name}\``))).toEqual([]);
});
