import { expect, test } from "vitest";

import { pathBetween, type Step } from "./releasePath.rules.ts";

const file = (uuid: string, version: string, more: Partial<Step> = {}): Step => ({
  ...{ uuid, version, installs: ["library"], appliesFrom: null, appliesTo: null, channel: "general", size: 100 },
  ...more,
});
const chain = [
  file("to4.8", "4.8", { appliesFrom: "4.5", appliesTo: "4.7" }),
  file("to4.9", "4.9", { appliesFrom: "4.8", appliesTo: "4.8" }),
  file("to4.10", "4.10", { appliesFrom: "4.9", appliesTo: "4.9.9" }),
];
const installer = file("whole", "4.10", { size: 10_000 });
const base = file("base", "4.10", { installs: ["database"], size: 5 });

test.each<[string, Step[], string | null, string, Step["channel"], string[] | null]>([
  ["all steps, one after the other", chain, "4.6", "4.10", "general", ["to4.8", "to4.9", "to4.10"]],
  ["from the middle of the steps", chain, "4.9.2", "4.10", "general", ["to4.10"]],
  ["for any order of the files", chain.toReversed(), "4.8", "4.10", "general", ["to4.9", "to4.10"]],
  ["not beyond the target", chain, "4.6", "4.9", "general", ["to4.8", "to4.9"]],
  ["no step back: 4.9 is older than 4.10", chain, "4.10", "4.9", "general", []],
  ["the site already has the target version", chain, "4.10.0", "4.10", "general", []],
  ["the site already has a newer version", chain, "5", "4.10", "general", []],
  ["the site is too old for every file", chain, "4.2", "4.10", "general", null],
  ["no file has the target version", chain, "4.6", "4.11", "general", null],
  ["no files", [], "4.6", "4.10", "general", null],
  ["the path with fewer files", [...chain, installer], "4.6", "4.10", "general", ["whole"]],
  [
    "of paths with as many files, the one with fewer bytes",
    [...chain, installer],
    "4.9",
    "4.10",
    "general",
    ["to4.10"],
  ],
  ["of equal paths, the first by its uuid", [file("b", "5"), file("a", "5")], "4", "5", "general", ["a"]],
  ["a site with an unknown version", [...chain, installer], null, "4.10", "general", ["whole"]],
  ["a site with a text that is not a version", [...chain, installer], "unknown", "4.10", "general", ["whole"]],
  ["an unknown version, but only files for known versions", chain, null, "4.10", "general", null],
  ["a pilot file is not for general sites", [file("p", "5", { channel: "pilot" })], "4", "5", "general", null],
  [
    "a pilot site gets pilot and general files",
    [file("p", "5", { channel: "pilot", appliesFrom: "4.10" }), ...chain],
    "4.9",
    "5",
    "pilot",
    ["to4.10", "p"],
  ],
  ["the database before the library", [...chain, base], "4.9", "4.10", "general", ["base", "to4.10"]],
  ["a database without the library gives no path", [base], "4.9", "4.10", "general", null],
  [
    "a database file for other versions is left out",
    [...chain, { ...base, appliesTo: "4.8" }],
    "4.9",
    "4.10",
    "general",
    ["to4.10"],
  ],
  [
    "one file with both library and database",
    [file("both", "4.10", { installs: ["library", "database"] }), base],
    "4.9",
    "4.10",
    "general",
    ["both"],
  ],
  ["the target version written in another way", [file("z", "4.10.0")], "4.9", "4.10", "general", ["z"]],
  [
    "the version of a step written in another way",
    [file("y", "4.9.0"), file("z", "5", { appliesFrom: "4.9", appliesTo: "4.9" })],
    "4",
    "5",
    "general",
    ["y", "z"],
  ],
])("%s", (_, files, from, target, channel, expected) => {
  expect(pathBetween(files, from, target, channel)?.map(({ uuid }) => uuid) ?? null).toEqual(expected);
});

test("finds a path of 400 files", () => {
  const files = Array.from({ length: 400 }, (_, at) =>
    file(`f${String(at).padStart(3, "0")}`, `4.${at + 1}`, { appliesFrom: `4.${at}`, appliesTo: `4.${at}` }),
  );
  expect(pathBetween(files, "4.0", "4.400", "general")).toHaveLength(400);
});
