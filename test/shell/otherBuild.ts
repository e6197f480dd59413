import { spawn } from "node:child_process";

/**
 * Builds the client with a text of one source file changed. This runs in its own process, because tests have another
 * NODE_ENV, which would make a build for development.
 */
export async function buildOther(
  folder: string,
  { file, from, to }: { file: string; from: string; to: string },
): Promise<void> {
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
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  let text = "";
  child.stderr.on("data", (part) => (text += part));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`The other client could not be built: ${text}`);
}
