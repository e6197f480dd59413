/** `node gateway/start.mjs <entry> [arguments]`: builds what is out of date, then runs that entry of the gateway. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { buildGateway, isBuilt, root } from "./build/build.mjs";

const [entry] = process.argv.splice(2, 1);
let folder = "gateway";
if (entry === "contracts") {
  // The client is generated from the contracts, so only the gateway is built for them.
  folder = "contracts";
  await buildGateway([entry], folder);
} else if (!isBuilt()) {
  console.log("Building the client and the gateway (once, and after a change of the sources) …");
  // In a process of its own: what the build tools took, a process keeps as long as it runs (about 1 GB).
  const { status } = spawnSync(process.execPath, [join(root, "gateway/build/build.mjs")], { stdio: "inherit" });
  if (status !== 0) {
    console.error("The build failed.");
    process.exit(1);
  }
}
await import(pathToFileURL(join(root, "dist", folder, `${entry}.js`)).href);
