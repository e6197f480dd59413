import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * PostGraphile 5 on the same database, in a process of its own: its Amber preset served by grafserv on `node:http`.
 * `postgraphile.js <folder where it is installed> <address>`.
 */

const [folder, address] = process.argv.slice(2);
const from = createRequire(join(folder!, "package.json"));
const load = async (name: string) => (await import(pathToFileURL(from.resolve(name)).href)) as Record<string, unknown>;

type Instance = { createServ: (grafserv: unknown) => { addTo: (server: unknown) => Promise<void> } };

const [main, amber, adaptor, serv] = await Promise.all(
  ["postgraphile", "postgraphile/presets/amber", "postgraphile/adaptors/pg", "postgraphile/grafserv/node"].map(load),
);
const postgraphile = main!["postgraphile"] as (preset: object) => Instance;
const makePgService = adaptor!["makePgService"] as (options: object) => object;
const preset = {
  extends: [amber!["PostGraphileAmberPreset"]],
  pgServices: [makePgService({ connectionString: address, schemas: ["public"], poolConfig: { max: 10 } })],
  grafserv: { watch: false, graphiql: false },
  grafast: { explain: false },
};
const server = createServer();
await postgraphile(preset).createServ(serv!["grafserv"]).addTo(server);
server.listen(0, "127.0.0.1", () => console.log(`Serving on http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on("SIGTERM", () => process.exit(0));
