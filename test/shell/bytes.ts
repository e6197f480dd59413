import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The files of the built client that a first visit fetches, from Vite's manifest. */

type Chunk = {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
};
type Manifest = Record<string, Chunk>;

/** Bytes as the gateway sends them, compressed. */
export type Bytes = { gzip: number; brotli: number };
export type PartBytes = { name: string; files: string[]; script: Bytes; style: Bytes };

const clientDir = fileURLToPath(new URL("../../dist/client", import.meta.url));

/** All files that a chunk needs. */
function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) seen.add(file);
  for (const name of chunk.imports ?? []) filesOf(manifest, name, seen);
  return seen;
}

function bytesOf(folder: string, files: readonly string[]): Bytes {
  const sum = (ending: string) =>
    files.reduce((total, file) => {
      const plain = join(folder, file);
      return total + statSync(existsSync(plain + ending) ? plain + ending : plain).size;
    }, 0);
  return { gzip: sum(".gz"), brotli: sum(".br") };
}

function part(folder: string, name: string, files: string[]): PartBytes {
  const of = (ending: string) =>
    bytesOf(
      folder,
      files.filter((file) => file.endsWith(ending)),
    );
  return { name, files, script: of(".js"), style: of(".css") };
}

/**
 * The bytes of each screen on a first visit, including the page, and of each part that is fetched on demand, without
 * the page's files. "Home" is the page itself. Throws if the client is not built.
 */
export function measureBytes(folder = clientDir): { screens: PartBytes[]; onDemand: PartBytes[] } {
  const manifest = JSON.parse(readFileSync(join(folder, ".vite", "manifest.json"), "utf8")) as Manifest;
  // The first script fetches the application, whose files the page names too.
  const page = filesOf(manifest, "main.tsx", filesOf(manifest, "index.html"));
  const fetched = Object.entries(manifest)
    .filter(
      ([key, { isDynamicEntry }]) =>
        isDynamicEntry === true && key.endsWith(".tsx") && key !== "main.tsx" && !key.startsWith("explorer"),
    )
    .map(([key]) => ({ key, name: basename(key, ".tsx") }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const isScreen = ({ name }: { name: string }) => name.endsWith("Screen");
  return {
    screens: [
      part(folder, "Home", [...page]),
      ...fetched
        .filter(isScreen)
        .map(({ key, name }) => part(folder, name, [...filesOf(manifest, key, new Set(page))])),
    ],
    onDemand: fetched
      .filter((one) => !isScreen(one))
      .map(({ key, name }) =>
        part(
          folder,
          name,
          [...filesOf(manifest, key)].filter((file) => !page.has(file)),
        ),
      ),
  };
}
