import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

const place = "/* the build's files */";
/** Files outside the bundle that load before the application's scripts. */
const unbundled = ["before.js", "favicon.svg"];
/** The screens of a visit: the facility's page and the forms, and the question before signing out with unsent work. */
const ofVisit =
  /\/client\/(facility\/FacilityScreen|assessment\/(New)?AssessmentScreen|shell\/menu\/SignOutDialog)\.tsx$/;
/**
 * Code that nobody needs in the field. It is stored only after it was used: overviews and charts, TDBs, people,
 * machines, the audit, the registry, the fleet, targets, passwords.
 */
const isForOffice =
  /\/client\/((dash|tdb|user|machine|download|audit|explorer|query|registry|fleet|target)\/|ui\/(chart\/Chart|page\/QrCode)|auth\/(?!Login))/;
/** Code of every page, such as the menu. The sign-in is left out, because nobody can sign in without network. */
const opensWith = /\/client\/(main\.tsx|start\.ts|shell\/(frame\/)?\w+\.tsx)$/;

/** The files of a chunk, of what it imports, and of what it imports dynamically if `goesOn` accepts that. */
export function filesOf(
  bundle: Rolldown.OutputBundle,
  name: string,
  goesOn: (facade: string) => boolean,
  into = new Set<string>(),
): Set<string> {
  const chunk = bundle[name];
  if (into.has(name) || chunk?.type !== "chunk") return into;
  for (const file of [name, ...(chunk.viteMetadata?.importedCss ?? [])]) into.add(file);
  for (const file of chunk.imports) filesOf(bundle, file, goesOn, into);
  for (const file of chunk.dynamicImports) {
    const next = bundle[file];
    if (next?.type === "chunk" && goesOn(next.facadeModuleId ?? "")) filesOf(bundle, file, goesOn, into);
  }
  return into;
}

/**
 * Writes the build's files into sw.js, each with its digest (`integrity`, of which the page has two), its transferred
 * size, and what needs it. So each build has another text, which the browser installs as a new worker.
 */
export const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  writeBundle({ dir = "" }, bundle) {
    const read = (path: string) => readFileSync(join(dir, path));
    const sha256 = (content: string | Buffer) => createHash("sha256").update(content);
    const integrity = (name: string) => `sha256-${sha256(read(name)).digest("base64")}`;
    const bytes = (name: string) => read(existsSync(join(dir, `${name}.br`)) ? `${name}.br` : name).length;
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const first = chunks.find(({ isEntry, name }) => isEntry && name === "index")!.fileName;
    const visit = chunks.filter(({ facadeModuleId }) => ofVisit.test(facadeModuleId ?? ""));
    const needs = {
      opening: [...unbundled, ...filesOf(bundle, first, (facade) => opensWith.test(facade))],
      visit: visit.flatMap(({ fileName }) => [...filesOf(bundle, fileName, () => false)]),
      field: [...filesOf(bundle, first, (facade) => !isForOffice.test(facade))],
    };
    const pages = `${integrity("index.html")} ${integrity("demonstration.html")}`;
    const files = new Map([["/", { path: "/", integrity: pages, bytes: bytes("index.html"), need: "opening" }]]);
    for (const [need, names] of Object.entries(needs))
      for (const name of names.filter((each) => !files.has(`/${each}`)))
        files.set(`/${name}`, { path: `/${name}`, integrity: integrity(name), bytes: bytes(name), need });
    const list = [...files.values()];
    const build = { name: sha256(JSON.stringify(list)).digest("hex").slice(0, 16), files: list };
    const text = read("sw.js").toString();
    if (!text.includes(place)) throw new Error("The service worker has no place for the build's files.");
    const withFiles = text.replace(place, () => `const build = ${JSON.stringify(build)};`);
    writeFileSync(join(dir, "sw.js"), withFiles);
  },
};
