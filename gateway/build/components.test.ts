import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

type Folders = Set<string>;
const file = new URL("./components.mjs", import.meta.url).href;
const { collectPackages, writeComponents } = (await import(/* @vite-ignore */ file)) as {
  collectPackages: (folders: Folders) => { generateBundle: (options: undefined, bundle: object) => void };
  writeComponents: (root: string, bundled: Folders) => void;
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "platform-components-"));
  for (const folder of ["dist", "node_modules/old"]) mkdirSync(join(root, folder), { recursive: true });
  const write = (file: string, content: object) => writeFileSync(join(root, file), JSON.stringify(content));
  write("package.json", { name: "platform", version: "1.2.3" });
  write("node_modules/old/package.json", { licenses: [{ type: "BSD" }] });
  write("package-lock.json", {
    packages: {
      "": { name: "platform" },
      "node_modules/@scope/image": { version: "1.0.0", license: "MIT", integrity: "sha512-AAEC" },
      "node_modules/bundled": { version: "2.0.0", license: "ISC", dev: true },
      "node_modules/bundled/node_modules/inner": { version: "3.0.0", license: "MIT", dev: true },
      "node_modules/old": { version: "4.0.0", dev: true },
      "node_modules/named": { name: "other", version: "5.0.0", license: "MIT", dev: true },
      "node_modules/test-only": { version: "6.0.0", license: "MIT", dev: true },
      "node_modules/linked": { version: "7.0.0", link: true },
    },
  });
});
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ["/app/node_modules/react/index.js", "node_modules/react"],
  ["/app/node_modules/@scope/one/lib/a.js", "node_modules/@scope/one"],
  ["\0/app/node_modules/one/node_modules/two/a.js?commonjs", "node_modules/one/node_modules/two"],
  ["/app/client/main.tsx", undefined],
])("the package of %j in a bundle is %s", (id, folder) => {
  const folders = new Set<string>();
  collectPackages(folders).generateBundle(undefined, { "main.js": { moduleIds: [id] }, "main.css": {} });
  expect([...folders]).toEqual(folder === undefined ? [] : [folder]);
});

test("a release lists what its bundles hold and what the image installs, and the licences of both", () => {
  const bundled = ["bundled", "bundled/node_modules/inner", "old", "named"].map((name) => `node_modules/${name}`);
  writeComponents(root, new Set(bundled));
  const read = (file: string) => readFileSync(join(root, "dist", file), "utf8");
  const { components, metadata } = JSON.parse(read("sbom.cdx.json")) as {
    components: { purl: string; properties: { value: string }[]; hashes?: object[] }[];
    metadata: object;
  };
  expect(metadata).toMatchObject({ component: { name: "platform", version: "1.2.3" } });
  expect(components.map(({ purl, properties }) => [purl, properties[0]!.value])).toEqual([
    ["pkg:npm/%40scope/image@1.0.0", "image"],
    ["pkg:npm/bundled@2.0.0", "bundle"],
    ["pkg:npm/inner@3.0.0", "bundle"],
    ["pkg:npm/old@4.0.0", "bundle"],
    ["pkg:npm/other@5.0.0", "bundle"],
  ]);
  expect(components[0]!.hashes).toEqual([{ alg: "SHA-512", content: "000102" }]);
  expect(read("licences.txt").trim().split("\n")).toEqual([
    "BSD\told 4.0.0",
    "ISC\tbundled 2.0.0",
    "MIT\t@scope/image 1.0.0",
    "MIT\tinner 3.0.0",
    "MIT\tother 5.0.0",
  ]);
  expect(() => writeComponents(root, new Set(["node_modules/unknown"]))).toThrow(
    "package-lock.json lacks bundled packages: node_modules/unknown",
  );
});
