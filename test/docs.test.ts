import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { expect, test } from "vitest";

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

test("the README has at most 1500 words", () => {
  expect(read("README.md").split(/\s+/).length).toBeLessThanOrEqual(1500);
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

test("every setting is described, with its default if that is a plain value", () => {
  const described = [...read("docs/operations.md").matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)].flatMap(
    ([, names, defaults]) =>
      [...names!.matchAll(/`([A-Z0-9_]+)`/g)].map(
        ([, name], index) => [name!, defaults!.split(", ")[index] ?? defaults!] as const,
      ),
  );
  const settings = [...read("gateway/env.ts").matchAll(/^ {4}([A-Z0-9_]+): (.*)$/gm)];
  expect(settings.length).toBeGreaterThan(30);
  expect(described.map(([name]) => name).toSorted()).toEqual(settings.map(([, name]) => name!).toSorted());
  for (const [, name, rule] of settings) {
    const [, text, number] = /\.default\((?:"([^"]*)"|([\d_]+))\)/.exec(rule!) ?? [];
    const value = text ?? number?.replaceAll("_", "");
    if (value !== undefined)
      expect(described.find(([each]) => each === name)![1].replaceAll("`", ""), name).toBe(value);
  }
});
