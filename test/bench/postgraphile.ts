import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { loadFrom } from "./install.ts";

/**
 * PostGraphile 5 on the same database, in a process of its own: its Amber preset and its preset for JSON web tokens,
 * served by grafserv on `node:http`. `postgraphile.js <folder where it is installed> <address> <secret of the tokens>`.
 */

/** PostGraphile is made for Node.js 22; this is all that is missing on version 20. */
type Settled = (value?: unknown) => void;
// According to the types of the newest library it always exists.
const promises = Promise as unknown as {
  withResolvers?: () => { promise: Promise<unknown>; resolve: Settled; reject: Settled };
};
promises.withResolvers ??= () => {
  let [resolve, reject]: Settled[] = [];
  const promise = new Promise((...settle) => ([resolve, reject] = settle as Settled[]));
  return { promise, resolve: resolve!, reject: reject! };
};

const [folder, address, pgJwtSecret] = process.argv.slice(2);
type Instance = { createServ: (grafserv: unknown) => { addTo: (server: unknown) => Promise<void> } };

const [main, amber, tokens, adaptor, serv] = await Promise.all(
  [
    "postgraphile",
    "postgraphile/presets/amber",
    "postgraphile/presets/lazy-jwt",
    "postgraphile/adaptors/pg",
    "postgraphile/grafserv/node",
  ].map((name) => loadFrom(folder!, name)),
);
const postgraphile = main!["postgraphile"] as (preset: object) => Instance;
const makePgService = adaptor!["makePgService"] as (options: object) => object;
const preset = {
  extends: [amber!["PostGraphileAmberPreset"], tokens!["PgLazyJWTPreset"]],
  // The index of a district's facilities does not contain the province, so this plugin would leave that relation out.
  disablePlugins: ["PgIndexBehaviorsPlugin"],
  pgServices: [makePgService({ connectionString: address, schemas: ["public"], poolConfig: { max: 10 } })],
  grafserv: { watch: false, graphiql: false, pgJwtSecret },
  grafast: { explain: false },
};
const server = createServer();
await postgraphile(preset).createServ(serv!["grafserv"]).addTo(server);
server.listen(0, "127.0.0.1", () =>
  console.log(`Serving on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on("SIGTERM", () => process.exit(0));
