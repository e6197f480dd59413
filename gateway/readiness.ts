import type { FastifyInstance } from "fastify";

import type { Database } from "../db/connect.ts";
import { listPendingMigrations } from "../db/migrate.ts";
import { ping } from "../db/system.ts";
import type { Files } from "./storage/files.ts";
import { isDatabaseFull } from "./storage/room.ts";

/** What a load balancer and a supervisor ask: does it live, and should it get requests. */

declare module "fastify" {
  interface FastifyInstance {
    /** told to end: it answers what it has begun, and load balancers should send it nothing more */
    draining: boolean;
  }
}

type State = "ok" | "failed";
type Readiness = { status: "ready" | "not ready"; draining: boolean; database: State; migrations: State; storage: State; room: State };

/** An answer holds for so long, however many ask. */
const freshMs = 1000;

const stateOf = (check: () => Promise<unknown>): Promise<State> =>
  check().then(
    () => "ok",
    () => "failed",
  );

/** Whether this gateway can do its whole work: its database answers and is as new as the code, files can be stored, and there is room to write. */
async function look(db: Database, { storage, staging }: Files, leastRoomBytes: number): Promise<Omit<Readiness, "draining" | "status">> {
  const isMigrated = async () => {
    if ((await listPendingMigrations(db)).length > 0) throw new Error("migrations are pending");
  };
  const hasRoom = async () => {
    // A folder that is away is told of as such, not as full.
    const left = await staging.left().catch(() => Number.POSITIVE_INFINITY);
    if (isDatabaseFull() || left < leastRoomBytes) throw new Error("a disk is full");
  };
  const [database, migrations, files, room] = await Promise.all([
    stateOf(() => ping(db)),
    stateOf(isMigrated),
    stateOf(() => Promise.all([storage.probe(), staging.probe()])),
    stateOf(hasRoom),
  ]);
  return { database, migrations, storage: files, room };
}

export function readinessRoutes(server: FastifyInstance, { db, files, leastRoomBytes }: { db: Database; files: Files; leastRoomBytes: number }): void {
  server.decorate("draining", false);
  // Proxies keep connections open: they come anew, and thereby elsewhere.
  server.addHook("onSend", async (_, reply) => {
    if (server.draining) reply.header("connection", "close");
  });
  server.get("/healthz", async (_, reply) => {
    try {
      await ping(db);
      return { status: "ok" };
    } catch {
      return reply.status(503).send({ status: "unavailable" });
    }
  });
  let last: { at: number; found: ReturnType<typeof look> } | undefined;
  server.get("/readyz", async (_, reply) => {
    const { draining } = server;
    if (!last || Date.now() - last.at > freshMs) last = { at: Date.now(), found: look(db, files, leastRoomBytes) };
    const found = await last.found;
    const isReady = !draining && Object.values(found).every((state) => state === "ok");
    const answer: Readiness = { status: isReady ? "ready" : "not ready", draining, ...found };
    const isFull = found.room === "failed" && found.database === "ok" && found.migrations === "ok";
    return reply.status(isReady ? 200 : isFull ? 507 : 503).header("cache-control", "no-store").send(answer);
  });
}
