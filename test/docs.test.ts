import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { expect, test } from "vitest";

import { readSettings } from "../gateway/env.ts";

/** The files, headings and settings that the documentation names exist. */

const list = (pattern: string) =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", pattern], { encoding: "utf8" })
    .trim()
    .split("\n");
const pages = list("*.md");
const read = (file: string): string => readFileSync(file, "utf8");
/** A page without its examples of code. */
const prose = (file: string): string => read(file).replaceAll(/^```[^]*?^```/gm, "");
/** The anchors of the headings, as GitHub names them. */
const anchors = (file: string): string[] =>
  [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** A word has a letter or a digit: the lines of tables are none. */
const words = (file: string): number =>
  read(file)
    .split(/\s+/)
    .filter((part) => /[\p{L}\p{N}]/u.test(part)).length;

test("the README has at most 1,500 words, all pages together at most 30,000", () => {
  expect(words("README.md")).toBeLessThanOrEqual(1_500);
  expect(pages.reduce((sum, page) => sum + words(page), 0)).toBeLessThanOrEqual(30_000);
});

test("links between pages lead to existing files and headings", () => {
  const dead = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      .filter(([, path, anchor]) => {
        const file = path ? normalize(join(dirname(page), path)) : page;
        return !existsSync(file) || (anchor && !anchors(file).includes(anchor));
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test("files that the pages name exist", () => {
  const named =
    /`((?:\.ci|client|gateway|db|migrations|test|deploy|docs)\/[\w./-]+\.(?:tsx?|mjs|css|html|json|md|bin|conf|service))`/g;
  const missing = pages.flatMap((page) =>
    [...prose(page).matchAll(named)].filter(([, file]) => !existsSync(file!)).map(([, file]) => `${page}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test("the guides set their settings before they use them", () => {
  const guides = list("docs/guides/*.md").toSorted();
  expect(guides).toEqual(["ask", "follow", "pull", "send"].map((name) => `docs/guides/${name}.md`));
  const used = /\$\{?([A-Z_]+)\b(?!\.)|\benv(?:iron)?\["([A-Z_]+)"\]|\bgetenv\("([A-Z_]+)"\)/g;
  for (const guide of guides) {
    const code = [...read(guide).matchAll(/^```\w+\n([^]*?)^```/gm)].map(([, block]) => block).join("\n");
    const names = [...code.matchAll(used)].map(({ 1: shell, 2: environment, 3: function_, index }) => ({
      name: (shell ?? environment ?? function_)!,
      index,
    }));
    expect(
      names.map(({ name }) => name),
      guide,
    ).toEqual(expect.arrayContaining(["ADDRESS", "TOKEN"]));
    for (const { name, index } of names)
      expect(code.slice(0, index), `${name} in ${guide}`).toMatch(new RegExp(`\\b${name}=`));
  }
});

test("the guides begin with their contents", () => {
  for (const guide of list("docs/guides/*.md")) {
    const [contents] = prose(guide).split(/^## /m);
    const missing = [...prose(guide).matchAll(/^## (.+)$/gm)].filter(
      ([, title]) => !contents!.toLowerCase().includes(`[${title!.toLowerCase()}](#`),
    );
    expect(missing.map(([line]) => `${guide}: ${line}`)).toEqual([]);
  }
});

test("a decision is no longer than a screen of 40 lines", () => {
  const rows = (record: string) =>
    record
      .trim()
      .split("\n")
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 120)), 0);
  const long = list("docs/decisions/*.md").flatMap((page) =>
    read(page)
      .split(/^## /m)
      .slice(1)
      // The table of dependencies has a line for each.
      .filter((record) => !record.startsWith("One dependency, one job"))
      .filter((record) => rows(record) > 40)
      .map((record) => `${page}: ${record.split("\n")[0]}, ${rows(record)} lines`),
  );
  expect(long).toEqual([]);
});

test("every setting is described, with its default if that is a plain value", () => {
  const described = [...read("docs/operations.md").matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)].flatMap(
    ([, names, defaults]) =>
      [...names!.matchAll(/`([A-Z0-9_]+)`/g)].map(
        ([, name], index) => [name!, (defaults!.split(", ")[index] ?? defaults!).replaceAll("`", "")] as const,
      ),
  );
  const settings = [...read("gateway/env.ts").matchAll(/^ {4}([A-Z0-9_]+): /gm)].map(([, name]) => name!);
  expect(settings.length).toBeGreaterThan(30);
  expect(described.map(([name]) => name).toSorted()).toEqual(settings.toSorted());
  const defaults: Record<string, unknown> = readSettings({ DATABASE_URL: "postgres://server/database" });
  const onThisMachine = new Set(["DATABASE_URL", "HEAVY_PER_PERSON", "WORKERS"]);
  const plain = Object.entries(defaults).filter(
    ([name, value]) => ["string", "number"].includes(typeof value) && !onThisMachine.has(name),
  );
  expect(plain.length).toBeGreaterThan(20);
  for (const [name, value] of plain)
    expect(described.find(([each]) => each === name)![1].split(";")[0], name).toBe(String(value));
});
