import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { compressFile } from "./compressed.ts";

/**
 * Writes into the service worker (client/public/sw.js) which files this build consists of, each with its digest: the worker
 * switches to a new build only when it has all of them. With each build the worker's text changes, so the browser installs it as a new worker.
 */

/** What needs a file: the application to open, a visit to a facility, or other work in the field. */
type Need = "opening" | "visit" | "field";
/** A file of the build: its digests (the page has two forms), its transferred size, and what needs it. */
type ApplicationFile = { path: string; integrity: string; bytes: number; need: Need };

const place = "/* the build's files */";
/** Files outside the bundle that load before the application's scripts. */
const unbundled = ["before.js", "favicon.svg"];
const pages = ["index.html", "demonstration.html"];
/** The screens of a visit: the facility's page and the forms. */
const ofVisit = /\/client\/(facility\/FacilityScreen|assessment\/(New)?AssessmentScreen)\.tsx$/;
/** Code that nobody needs in the field. It is stored only after it was used: overviews and charts, TDBs, people, machines, the audit, passwords. */
const isForOffice =
  /\/client\/((dash|tdb|user|machine|download|audit|explorer|query)\/|ui\/(chart\/Chart|page\/QrCode)|auth\/(?!Login))|\/@blueprintjs\/icons\//;
/** Code of every page, such as notifications and the menu. The sign-in is left out, because nobody can sign in without network. */
const opensWith = /\/client\/(main\.tsx|start\.ts|shell\/(frame\/)?\w+\.tsx)$/;

/** For each file, what needs it. */
let needs: Map<string, Need>;

/** Collects a chunk, the chunks that it imports, and those that it imports dynamically if `goesOn` accepts them. */
function take(bundle: Rolldown.OutputBundle, start: string, into: Set<string>, goesOn: (facade: string) => boolean): void {
  const chunk = bundle[start];
  if (into.has(start) || chunk?.type !== "chunk") return;
  into.add(start);
  for (const file of chunk.viteMetadata?.importedCss ?? []) into.add(file);
  for (const name of chunk.imports) take(bundle, name, into, goesOn);
  for (const name of chunk.dynamicImports) {
    const next = bundle[name];
    if (next?.type === "chunk" && goesOn(next.facadeModuleId ?? "")) take(bundle, name, into, goesOn);
  }
}

export const applicationFiles: Plugin = {
  name: "application-files",
  apply: "build",
  generateBundle(_, bundle) {
    const first = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry && file.facadeModuleId?.endsWith("/client/index.html"));
    if (!first) throw new Error("The page's first script is not among the built files.");
    const opening = new Set<string>();
    take(bundle, first.fileName, opening, (facade) => opensWith.test(facade));
    const visit = new Set<string>();
    for (const file of Object.values(bundle))
      if (file.type === "chunk" && ofVisit.test(file.facadeModuleId ?? "")) take(bundle, file.fileName, visit, () => false);
    const field = new Set<string>();
    take(bundle, first.fileName, field, (facade) => !isForOffice.test(facade));
    needs = new Map();
    const lists = { opening: [...unbundled, ...opening], visit, field };
    for (const need of ["opening", "visit", "field"] as const)
      for (const path of lists[need]) if (!needs.has(path)) needs.set(path, need);
  },
  closeBundle: {
    sequential: true,
    order: "post",
    async handler() {
      const { root, build } = this.environment.config;
      const folder = resolve(root, build.outDir);
      const digest = async (name: string) => `sha256-${createHash("sha256").update(await readFile(join(folder, name))).digest("base64")}`;
      const bytes = async (name: string) => (await stat(existsSync(join(folder, `${name}.br`)) ? join(folder, `${name}.br`) : join(folder, name))).size;
      const files: ApplicationFile[] = [
        { path: "/", integrity: (await Promise.all(pages.map(digest))).join(" "), bytes: await bytes("index.html"), need: "opening" },
      ];
      // An entry that only imports others has no file.
      for (const [path, need] of needs)
        if (existsSync(join(folder, path)))
          files.push({ path: `/${path}`, integrity: await digest(path), bytes: await bytes(path), need });
      const name = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
      const worker = join(folder, "sw.js");
      const text = await readFile(worker, "utf8");
      if (!text.includes(place)) throw new Error("The service worker has no place for the build's files.");
      await writeFile(worker, text.replace(place, `const build = ${JSON.stringify({ name, files })};`));
      await compressFile(worker);
    },
  },
};
