import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { unusedComponents } from "./blueprintStyle.ts";

const files = execFileSync("git", ["ls-files", "client"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => /\.(tsx?|css)$/.test(file) && !file.startsWith("client/build/"));

test("no component whose style is left out of the build is on a screen", () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const imported = [...text.matchAll(/import \{([^}]*)\} from "@blueprintjs\/core"/g)]
      .map(([, names]) => names!)
      .join();
    return Object.entries(unusedComponents).flatMap(([component, classes]) =>
      new RegExp(`\\b${component}\\d?\\b`).test(imported) ||
      classes.some((name) => new RegExp(`bp6-${name}(?![a-z])`).test(text))
        ? [`${file}: ${component}`]
        : [],
    );
  });
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
