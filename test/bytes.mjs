/**
 * `npm run bytes`: the kB of script and style of a first visit to each screen, of the parts on demand, and all bytes
 * that visits transfer.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runnerImport } from "vite";

import { buildAll, isBuilt, root } from "../gateway/build/build.mjs";

if (!isBuilt()) await buildAll();
const { module } = await runnerImport(join(root, "test", "shell", "bytes.ts"));
const { screens, onDemand } = module.measureBytes();

const kB = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
const line = ({ name, script, style }) =>
  `${name.padEnd(24)}${[script.gzip, script.brotli, style.gzip, style.brotli].map(kB).join("")}`;
const head = (title) =>
  `${title.padEnd(24)}${["script gz", "br", "style gz", "br"].map((word) => word.padStart(10).slice(-9).padStart(8)).join("")}`;

console.log(head("A cold visit (kB)"));
for (const screen of screens) console.log(line(screen));
console.log(`\n${head("On demand, beside it")}`);
for (const one of onDemand) console.log(line(one));

/** The product with its demonstration, in a temporary folder, for the measurement only. */
const dataDir = mkdtempSync(join(tmpdir(), "platform-bytes-"));
const gateway = spawn(process.execPath, [join(root, "dist", "gateway", "main.js")], {
  env: { ...process.env, PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, DATABASE_URL: "", DEMO: "1" },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const address = await new Promise((resolve, reject) => {
    let output = "";
    gateway.stdout.on("data", (data) => {
      output += data;
      const [, url] = /Serving on (\S+)/.exec(output) ?? [];
      if (url) resolve(url);
    });
    gateway.on("exit", () => reject(new Error("The gateway ended before it served.")));
  });
  const { module: wire } = await runnerImport(join(root, "test", "shell", "wire.ts"));
  const { module: browsers } = await runnerImport(join(root, "test", "support", "openBrowser.ts"));
  const browser = await browsers.openBrowser();
  console.log("\nOn the line, heads included             down kB     up kB  requests    budget   up budget");
  for (const { name, down, up, requests } of await wire.measureVisits(browser, address, await wire.signInAt(address)))
    console.log(
      `${name.padEnd(36)}${kB(down)}${kB(up).padStart(10)}${String(requests).padStart(10)}${kB(wire.budgets[name] ?? 0).padStart(10)}${name in wire.upBudgets ? kB(wire.upBudgets[name]).padStart(12) : ""}`,
    );
  await browser.close();
} finally {
  gateway.kill("SIGTERM");
  await new Promise((resolve) => gateway.once("exit", resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
