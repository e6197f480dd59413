import { createHash, randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A new file of another build. */
type Added = { name: string; text: string };

const digest = (text: string | Buffer) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** New files that take a while to fetch: random text, which compresses badly. */
export const someFiles = (words: string, count: number, bytes: number): Added[] =>
  Array.from({ length: count }, (_, place) => ({
    name: `added-${words}-${place}.js`,
    text: `// ${randomBytes(bytes / 2).toString("hex")}`,
  }));

/**
 * Replaces the build in `clientDir`, a copy of the built client that is served: the page has another title, and there
 * are new files. The build's name and the digests are those that a real build would write.
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
  const [statement, json] = /const build = (.*);/.exec(worker)!;
  const build = JSON.parse(json!) as {
    name: string;
    files: { path: string; integrity: string; bytes: number; need: string }[];
  };
  const files = build.files.map((file) => (file.path === "/" ? { ...file, integrity: pages.join(" ") } : file));
  for (const { name, text } of added) {
    await writeFile(join(clientDir, "assets", name), text);
    files.push({ path: `/assets/${name}`, integrity: digest(text), bytes: text.length, need: "opening" });
  }
  await writeFile(
    join(clientDir, "sw.js"),
    worker.replace(statement, () => `const build = ${JSON.stringify({ name: words, files })};`),
  );
  await drop("sw.js");
}
