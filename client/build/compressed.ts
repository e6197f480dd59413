import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const isText = /\.(js|css|html|svg)$/;
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/** Writes the compressed forms of a file beside it, if they are smaller. */
export async function compressFile(path: string): Promise<void> {
  const plain = await readFile(path);
  const forms = { br: await brotli(plain), gz: await gzipped(plain, { level: 9 }) };
  for (const [ending, form] of Object.entries(forms)) if (form.length < plain.length) await writeFile(`${path}.${ending}`, form);
}

/** Writes `.br` and `.gz` beside each file, at the highest level, if they are smaller. The gateway sends them as they are. */
export const compressedFiles: Plugin = {
  name: "compressed-files",
  apply: "build",
  async closeBundle() {
    const { root, build } = this.environment.config;
    const folder = resolve(root, build.outDir);
    const names = await readdir(folder, { recursive: true });
    await Promise.all(names.filter((name) => isText.test(name)).map((name) => compressFile(join(folder, name))));
  },
};
