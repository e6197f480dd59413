import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { expect, test } from "vitest";

import { chunks } from "../client/build/chunks.ts";

/** Names and habits of the house that lint does not know. The walls between rooms are in support/walls.ts. */

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith("client/gql/") && file !== "db/schema.ts");
const read = (file: string): string => readFileSync(file, "utf8");
const within = (room: string) => files.filter((file) => file.startsWith(room));

test("there are rooms to look at", () => {
  for (const room of ["client/", "gateway/", "db/", "migrations/", "test/"]) expect(within(room).length).toBeGreaterThan(5);
});

test("no file is a drawer for everything", () => {
  const vague = /^(utils?|helpers?|types?|index|common|misc|shared)\.(ts|tsx)$/;
  expect(files.filter((file) => vague.test(basename(file)))).toEqual([]);
});

test("the environment is read in one place", () => {
  // What the build writes into it and in its stead is no reading of it.
  const readers = files.filter((file) => /^(client|gateway|db|migrations)\//.test(file) && /process\.env\b(?!\.NODE_ENV(": | = "))/.test(read(file)));
  expect(readers).toEqual(["gateway/env.ts"]);
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
});

test("a component file is named after its component and ends in what it is", () => {
  const kinds = /(Screen|Dialog|Form|Table|Section|Tab|Card|Panel|List|Link|Chart|Controls|Sheet|Notice|Button|Field|Hint|Links|Note)\.tsx$/;
  const nouns = within("client/").filter(
    (file) => /^client\/(?!(ui|shell|store|gql|build|explorer)\/)[^/]+\/.*\.tsx$/.test(file) && !file.includes(".test."),
  );
  expect(nouns.filter((file) => !kinds.test(file) && !/\/With[A-Z]\w+\.tsx$/.test(file))).toEqual([]);
  for (const file of nouns) expect(read(file), file).toMatch(new RegExp(`export (async )?function ${basename(file, ".tsx")}\\b`));
});

test("operations and fragments are named after their file", () => {
  const offenders = within("client/").flatMap((file) => {
    const name = basename(file).replace(/\.tsx?$/, "").replace(/^./, (letter) => letter.toUpperCase());
    return [...read(file).matchAll(/\b(query|mutation|fragment) ([A-Za-z]\w*)\s*(?:\(|\{|on )/g)]
      .filter(([, kind, operation]) => {
        if (file.startsWith("client/explorer/")) return false;
        if (kind === "fragment") return !operation!.startsWith(`${name}_`);
        return !(operation!.startsWith(`${name}Query`) || operation!.startsWith(`${name}_`));
      })
      .map(([, kind, operation]) => `${file}: ${kind} ${operation}`);
  });
  expect(offenders).toEqual([]);
});

test("paths of screens are spelt in routes.ts only", () => {
  const spelt = /(?:to|href|navigate\()=?[{(]?["'`]#?\/(?!\/)[a-z]/;
  const elsewhere = within("client/").filter((file) => file !== "client/routes.ts" && !file.includes(".test.") && spelt.test(read(file)));
  expect(elsewhere).toEqual([]);
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
  const stems = new Set(execFileSync("git", ["ls-files", "client", "db", "gateway"], { encoding: "utf8" }).split("\n").flatMap((file) => [file, file.replace(/\.(tsx?|css)$/, "")]));
  const missing = chunks.flatMap(({ name, files: named = [] }) => named.filter((file) => !stems.has(file) && !file.startsWith("client/gql/")).map((file) => `${name}: ${file}`));
  expect(missing).toEqual([]);
});

test("each dependency and each override has its verdict in the decisions", () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read("package.json")) as Record<string, Record<string, unknown>>;
  const [verdicts, reasons] = read("docs/decisions/dependencies.md").split("\n## Overrides\n") as [string, string];
  expect(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter((name) => !verdicts.includes(`\`${name}\``))).toEqual([]);
  expect(Object.keys(overrides!).filter((name) => !reasons.includes(`| \`${name}\``))).toEqual([]);
});
