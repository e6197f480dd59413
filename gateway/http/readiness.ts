import type { FastifyInstance } from "fastify";

import type { Database } from "../../db/engine/connect.ts";
import { findNewerMigrations, listPendingMigrations } from "../../db/migrate.ts";
import type { Watch } from "../../db/engine/away/watch.ts";
import type { Files } from "../storage/files.ts";
import { isDatabaseFull } from "../../db/engine/fullDisk.ts";

/** The health checks for load balancers and supervisors: is the gateway alive, and should it get requests. */

declare module "fastify" {
  interface FastifyInstance {
    /**
     * shutting down: it finishes its requests. `for good`: load balancers should send no new ones; `for others`: other
     * workers of this gateway go on.
     */
    draining: "for good" | "for others" | undefined;
  }
}

type State = "ok" | "failed";
type Part = "database" | "migrations" | "storage" | "room";
/** `reasons`: why each failed part failed. */
type Readiness = { status: "ready" | "not ready"; draining: boolean; reasons?: Partial<Record<Part, string>> } & Record<
  Part,
  State
>;

/** How long an answer is reused. */
const freshMs = 1000;
/** The longest that a part may take to answer. */
const patienceMs = 3000;

/** Why a part fails, as a short text; null if it does not. */
async function faultOf(check: () => Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`it has not answered for ${patienceMs / 1000} seconds`), patienceMs);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return typeof code === "string" ? code : message.slice(0, 200);
  } finally {
    clearTimeout(timer);
  }
}

type Looked = { db: Database; watch: Watch; files: Files; leastRoomBytes: number };

/**
 * Checks whether this gateway is ready: its database answers and has this version's schema, files can be stored, and
 * the disk has enough space.
 */
async function look({
  db,
  watch,
  files: { storage, staging },
  leastRoomBytes,
}: Looked): Promise<Record<Part, string | null>> {
  const database = watch.fault();
  const [migrations, files, room] = await Promise.all([
    faultOf(async () => {
      if (database !== null) return "the database is away";
      const newer = await findNewerMigrations(db);
      if (!newer.canServe)
        return `the database was migrated by a newer version (${newer.names.join(", ")}): replace this gateway`;
      const { names: pending } = await listPendingMigrations(db);
      return pending.length > 0 ? `${pending.length} of them wait to be run` : null;
    }),
    faultOf(async () => {
      await Promise.all([storage.probe(), staging.probe()]);
      return null;
    }),
    faultOf(async () => {
      if (isDatabaseFull()) return "the database's disk is full";
      // A missing folder is reported by its own check.
      const left = await staging.left().catch(() => Number.POSITIVE_INFINITY);
      return left < leastRoomBytes ? `${Math.floor(left / 1_000_000)} MB are left on the disk of DATA_DIR` : null;
    }),
  ]);
  return { database, migrations, storage: files, room };
}

export function readinessRoutes(server: FastifyInstance, looked: Looked): void {
  server.decorate("draining", undefined);
  // Proxies keep connections open. Closed ones are reopened, and may then reach another gateway.
  server.addHook("onSend", async (_, reply) => {
    if (server.draining) reply.header("connection", "close");
  });
  // The process lives, whatever the database does: a supervisor that ended it would mend nothing. The caller's own
  // address, as the gateway sees it, shows the doctor whether TRUST_PROXY is right (system/address.ts).
  server.get("/healthz", ({ ip }, reply) => {
    reply.header("x-caller-address", ip).send({ status: "ok" });
  });
  let last: { at: number; found: ReturnType<typeof look> } | undefined;
  server.get("/readyz", async (_, reply) => {
    const draining = server.draining === "for good";
    if (!last || Date.now() - last.at > freshMs) last = { at: Date.now(), found: look(looked) };
    const faults = Object.entries(await last.found);
    const reasons = Object.fromEntries(faults.filter(([, fault]) => fault !== null)) as Record<Part, string>;
    const states = Object.fromEntries(
      faults.map(([part, fault]) => [part, fault === null ? "ok" : "failed"]),
    ) as Record<Part, State>;
    const isSound = Object.keys(reasons).length === 0;
    const isReady = !draining && isSound;
    const isOnlyFull = !draining && Object.keys(reasons).join() === ("room" satisfies Part);
    const answer: Readiness = {
      status: isReady ? "ready" : "not ready",
      draining,
      ...states,
      ...(isSound ? {} : { reasons }),
    };
    return reply
      .status(isReady ? 200 : isOnlyFull ? 507 : 503)
      .header("cache-control", "no-store")
      .send(answer);
  });
}
