import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";
import { parseSync } from "vite";

/** Words that were given up are in no text that people read: screens, prints, files, messages and descriptions. */

const retired: [word: RegExp, instead: string][] = [
  [/\bsilent\b(?!=)/i, "overdue, or no data for N days"],
  [/\b(assessed|not) functional\b/i, "assessed sites that work, does not work"],
  [/\bnot done\b/i, "does not work, not checked or not recorded"],
  [/\bcame\b(?! back)/i, "received"],
  [/\bsav(e|es|ing) data\b/i, "Data saver"],
  [/\b(take|taken)\b.*\balong\b/i, "download for offline use"],
  [/\b(a|de)scending\b|\(desc\)/i, "Name (Z to A), lowest first"],
  [/\bnone for all\b/i, "leave empty for all"],
  [/\b(not|never) (be )?shown again\b/i, "Copy it now. You will not see it again."],
  [/^To be done$/i, "Needs attention"],
];

/** The client, and what the gateway shares with it: rules and prose of messages. */
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "client", "gateway"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => (file.startsWith("client/") ? /\.tsx?$/ : /\.rules\.ts$|\/export\w+\.ts$/).test(file))
  // The sender is a program for the command line.
  .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("client/tdb/sender/"));

/** Properties with text for programs, and names that are no text. */
const notShown = new Set(["about", "description", "className", "source", "type"]);
const isDocument = (text: string) => /^\s*(query|mutation|fragment) /.test(text);
/** A word alone may be a name in the code, unless it is between tags or begins like a sentence. */
const isShown = (text: string, isBetweenTags: boolean) =>
  !isDocument(text) && (isBetweenTags || /\S\s+\S/.test(text.trim()) || /^[A-Z][a-z]/.test(text));

type Node = { type?: string; value?: unknown; [key: string]: unknown };

/** The texts of a file that people may read. */
function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return undefined;
    const { type, value, ...rest } = node as Node;
    const name = ((rest["key"] ?? rest["name"]) as { name?: string } | undefined)?.name;
    if (type === "ImportDeclaration" || type === "TSLiteralType") return undefined;
    if ((type === "Property" || type === "JSXAttribute") && name && notShown.has(name)) return undefined;
    // A description in a chain of zod rules.
    const called = (rest["callee"] as { property?: { name?: string } } | undefined)?.property?.name;
    if (called === "describe") return visit(rest["callee"]);
    const text = type === "TemplateElement" ? (value as { cooked: string }).cooked : value;
    if (typeof text === "string" && isShown(text, type === "JSXText")) texts.push(text.replaceAll(/\s+/g, " ").trim());
    visit(value);
    return Object.values(rest).forEach(visit);
  };
  visit(parseSync(file, readFileSync(file, "utf8")).program);
  return texts;
}

/** The descriptions of an OpenAPI document, without names in backticks. */
function descriptionsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
    (name === "description" || name === "summary") && typeof value === "string" ? [value] : descriptionsIn(value),
  );
}

test("no description of the interfaces has a word that was given up; the interfaces keep their names", () => {
  const graph = [...readFileSync("schema.graphql", "utf8").matchAll(/"""([^]*?)"""/g)].map(([, text]) => text!);
  const rest = descriptionsIn(JSON.parse(readFileSync("gateway/openapi.json", "utf8")));
  const found = [...graph, ...rest].flatMap((text) => {
    // "silent: overdue" explains a value.
    const sentences = text.replaceAll(/`[^`]*`|\bsilent:/g, "").replaceAll(/\s+/g, " ");
    return retired.flatMap(([word, instead]) => (word.test(sentences) ? [`“${text}”: ${instead}`] : []));
  });
  expect(Math.min(graph.length, rest.length)).toBeGreaterThan(500);
  expect([...new Set(found)]).toEqual([]);
});

test("no text for people has a word that was given up", () => {
  const found = files.flatMap((file) =>
    textsOf(file).flatMap((text) =>
      retired.flatMap(([word, instead]) => (word.test(text) ? [`${file}: “${text}”: ${instead}`] : [])),
    ),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
