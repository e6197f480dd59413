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
  ["one after the other", chain, "4.6", "4.10", "general", ["to4.8", "to4.9", "to4.10"]],
  ["from the middle", chain, "4.9.2", "4.10", "general", ["to4.10"]],
  ["whatever the order of the files", chain.toReversed(), "4.8", "4.10", "general", ["to4.9", "to4.10"]],
  ["not beyond the target", chain, "4.6", "4.9", "general", ["to4.8", "to4.9"]],
  ["4.9 is older than 4.10", chain, "4.10", "4.9", "general", []],
  ["reached already", chain, "4.10.0", "4.10", "general", []],
  ["newer already", chain, "5", "4.10", "general", []],
  ["too old for every file", chain, "4.2", "4.10", "general", null],
  ["a version that no file has", chain, "4.6", "4.11", "general", null],
  ["no files", [], "4.6", "4.10", "general", null],
  ["fewer files", [...chain, installer], "4.6", "4.10", "general", ["whole"]],
  ["as few files, fewer bytes", [...chain, installer], "4.9", "4.10", "general", ["to4.10"]],
  ["as few, as small: by name", [file("b", "5"), file("a", "5")], "4", "5", "general", ["a"]],
  ["a site whose version nobody knows", [...chain, installer], null, "4.10", "general", ["whole"]],
  ["a text that is no version", [...chain, installer], "unknown", "4.10", "general", ["whole"]],
  ["an unknown version, only files for known ones", chain, null, "4.10", "general", null],
  ["a pilot file is for the pilot", [file("p", "5", { channel: "pilot" })], "4", "5", "general", null],
  ["the pilot takes both", [file("p", "5", { channel: "pilot", appliesFrom: "4.10" }), ...chain], "4.9", "5", "pilot", ["to4.10", "p"]],
  ["the database before the library", [...chain, base], "4.9", "4.10", "general", ["base", "to4.10"]],
  ["a database alone leads nowhere", [base], "4.9", "4.10", "general", null],
  ["a database for other versions", [...chain, { ...base, appliesTo: "4.8" }], "4.9", "4.10", "general", ["to4.10"]],
  ["a file that brings both", [file("both", "4.10", { installs: ["library", "database"] }), base], "4.9", "4.10", "general", ["both"]],
  ["written in another way", [file("z", "4.10.0")], "4.9", "4.10", "general", ["z"]],
  ["a step written in another way", [file("y", "4.9.0"), file("z", "5", { appliesFrom: "4.9", appliesTo: "4.9" })], "4", "5", "general", ["y", "z"]],
])("%s", (_, files, from, target, channel, expected) => {
  expect(pathBetween(files, from, target, channel)?.map(({ uuid }) => uuid) ?? null).toEqual(expected);
});

test("many files are no trouble", () => {
  const files = Array.from({ length: 400 }, (_, at) => file(`f${String(at).padStart(3, "0")}`, `4.${at + 1}`, { appliesFrom: `4.${at}`, appliesTo: `4.${at}` }));
  expect(pathBetween(files, "4.0", "4.400", "general")).toHaveLength(400);
});
