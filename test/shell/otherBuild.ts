import { spawn } from "node:child_process";

/**
 * Builds the client as it would be of another state of the sources: with one file's text changed. In a process of its own, for tests run
 * with another NODE_ENV, with which the client is built for development.
 */
export async function buildOther(folder: string, { file, from, to }: { file: string; from: string; to: string }): Promise<void> {
  const script = `
    import { build } from "vite";
    const [folder, file, from, to] = process.argv.slice(1);
    let changed = 0;
    const transform = (code, id) => {
      if (!id.endsWith(file)) return undefined;
      changed += Number(code.includes(from));
      return code.replace(from, to);
    };
    await build({ configFile: "vite.config.ts", logLevel: "error", build: { outDir: folder, emptyOutDir: true }, plugins: [{ name: "other", enforce: "pre", transform }] });
    if (changed !== 1) throw new Error(\`\${from} is not in \${file}\`);`;
  const args = ["--input-type=module", "--eval", script, "--", folder, file, from, to];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, NODE_ENV: "production" } });
  let text = "";
  child.stderr.on("data", (part) => (text += part));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`The other client could not be built: ${text}`);
}
