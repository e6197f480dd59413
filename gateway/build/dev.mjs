/**
 * `npm run dev`: the gateway, built and started again after each change of its sources, and before it Vite's development server,
 * which serves the client from its sources and passes calls on. It takes the settings of `npm start`.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createServer } from "vite";

import { buildGateway, generateTypes, root } from "./build.mjs";

const folder = "dev";

await generateTypes();

let gateway;
let server;
let isEnding = false;
let turn = Promise.resolve();

async function endGateway() {
  if (!gateway || gateway.exitCode !== null || gateway.signalCode !== null) return;
  const ended = new Promise((resolve) => gateway.once("exit", resolve));
  gateway.kill("SIGTERM");
  await ended;
}

/** The gateway's address, as soon as it serves for the first time. */
let tell;
const serving = new Promise((resolve) => (tell = resolve));

async function restart() {
  await endGateway();
  if (isEnding) return;
  gateway = spawn(process.execPath, [join(root, "dist", folder, "main.js")], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  gateway.stdout.setEncoding("utf8").on("data", (text) => {
    process.stdout.write(text);
    const [, url] = /Serving on (\S+)/.exec(text) ?? [];
    if (url) tell(url);
  });
}

const watcher = await buildGateway(["main"], folder, {});
watcher.on("event", (event) => {
  if (event.code === "END") turn = turn.then(restart);
  if (event.code === "ERROR") console.error(event.error.message);
  if ("result" in event) void event.result?.close();
});

async function end() {
  if (isEnding) return;
  isEnding = true;
  await Promise.all([server?.close(), watcher.close(), turn.then(endGateway)]);
  process.exit(0);
}
process.on("SIGINT", () => void end());
process.on("SIGTERM", () => void end());

/** Preact knows nothing of React's exchange of parts: the page is loaded again. */
const reload = {
  name: "reload",
  handleHotUpdate: ({ file, server }) => {
    if (!/\.tsx?$/.test(file)) return undefined;
    server.ws.send({ type: "full-reload" });
    return [];
  },
};

const target = await serving;
// With the page's own host, without which the gateway takes its calls for another site's.
const proxy = { "/graphql": { target, changeOrigin: false }, "/api": { target, changeOrigin: false } };
server = await createServer({ configFile: join(root, "vite.config.ts"), plugins: [reload], server: { host: "127.0.0.1", proxy } });

/** Queries stand in the client's sources: their types follow a change. */
let generating;
server.watcher.add(join(root, "schema.graphql"));
server.watcher.on("change", (path) => {
  if (!/\.(tsx?|graphql)$/.test(path) || path.includes("/client/gql/")) return;
  clearTimeout(generating);
  generating = setTimeout(() => {
    generateTypes().catch((error) => console.error(error.message));
  }, 200);
});
await server.listen();
console.log(`The client, from its sources: ${server.resolvedUrls.local[0]}`);
