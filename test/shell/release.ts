import { createHash, randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What another build's new files hold. */
type Added = { name: string; text: string };

const digest = (text: string | Buffer) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** New files of a build that takes a while to fetch: text that no compression makes small. */
export const someFiles = (words: string, count: number, bytes: number): Added[] =>
  Array.from({ length: count }, (_, place) => ({ name: `added-${words}-${place}.js`, text: `// ${randomBytes(bytes / 2).toString("hex")}` }));

/**
 * Lays another build in the place of the one that is served from a copy (`clientDir`) of the client as it was built: the page's text says
 * so, and it has new files. The name of the build and the digests are what the build itself would have written.
 */
export async function release(built: string, clientDir: string, words: string, added: Added[]): Promise<void> {
  const drop = async (name: string) => {
    for (const ending of [".br", ".gz"]) await rm(join(clientDir, name + ending), { force: true });
  };
  const pages: string[] = [];
  for (const name of ["index.html", "demonstration.html"]) {
    const text = (await readFile(join(built, name), "utf8")).replace("<title>SmartCare", `<title>${words} SmartCare`);
    await writeFile(join(clientDir, name), text);
    await drop(name);
    pages.push(digest(text));
  }
  const worker = await readFile(join(built, "sw.js"), "utf8");
  const [whole, json] = /const build = (.*);/.exec(worker)!;
  const build = JSON.parse(json!) as { name: string; files: { path: string; integrity: string; bytes: number; opens: boolean }[] };
  const files = build.files.map((file) => (file.path === "/" ? { ...file, integrity: pages.join(" ") } : file));
  for (const { name, text } of added) {
    await writeFile(join(clientDir, "assets", name), text);
    files.push({ path: `/assets/${name}`, integrity: digest(text), bytes: text.length, opens: true });
  }
  await writeFile(join(clientDir, "sw.js"), worker.replace(whole, () => `const build = ${JSON.stringify({ name: words, files })};`));
  await drop("sw.js");
}
