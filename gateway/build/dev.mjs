/**
 * `npm run dev`: the gateway, built and started again after each change of its sources, and in front of it Vite's
 * development server, which serves the client from its sources and passes calls on to the gateway. It has the same
 * settings as `npm start`.
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

/** Resolves with the gateway's address when it serves for the first time. */
let resolveServing;
const serving = new Promise((resolve) => (resolveServing = resolve));

async function restart() {
  await endGateway();
  if (isEnding) return;
  gateway = spawn(process.execPath, [join(root, "dist", folder, "main.js")], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  gateway.stdout.setEncoding("utf8").on("data", (text) => {
    process.stdout.write(text);
    const [, url] = /Serving on (\S+)/.exec(text) ?? [];
    if (url) resolveServing(url);
  });
}

const watcher = await buildGateway(["main", "worker"], folder, {});
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

const target = await serving;
// `changeOrigin: false` keeps the page's host. Otherwise the gateway would reject calls as coming from another site.
const proxy = { "/graphql": { target, changeOrigin: false }, "/api": { target, changeOrigin: false } };
server = await createServer({ configFile: join(root, "vite.config.ts"), server: { host: "127.0.0.1", proxy } });

/**
 * The run that generates the types of queries, which are part of the client's sources. It starts after a change of
 * these.
 */
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
