import { appendFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connect, type Database } from "../../db/engine/connect.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { migrate } from "../../db/migrate.ts";
import { findToday } from "../../db/system/system.ts";
import { hashPassword } from "../../gateway/auth/password.ts";
import { loadDemo } from "../../gateway/demo/demo.ts";

/**
 * A separate PostgreSQL server with the demonstration country, and a second one that replays what it writes (streaming
 * replication).
 */
export async function streamingPair(timeZone: string) {
  const folders = {
    primary: await mkdtemp(join(tmpdir(), "platform-primary-")),
    replica: await mkdtemp(join(tmpdir(), "platform-replica-")),
  };
  const servers: { primary: EmbeddedDatabase; replica?: EmbeddedDatabase } = {
    primary: await startEmbedded(folders.primary),
  };
  const open = (which: keyof typeof servers): Database => connect(servers[which]!.connection, timeZone, () => {});
  const filling = open("primary");
  await migrate(filling);
  await loadDemo(filling, { today: await findToday(filling), dataDir: folders.primary, hashPassword });
  await filling.destroy();
  // A server that was stopped properly can be copied without backup mode.
  await servers.primary.stop();
  await cp(join(folders.primary, "postgres"), join(folders.replica, "postgres"), {
    recursive: true,
    preserveTimestamps: true,
  });
  const { host, port, user } = servers.primary.connection;
  await writeFile(join(folders.replica, "postgres/standby.signal"), "");
  await appendFile(
    join(folders.replica, "postgres/postgresql.auto.conf"),
    `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`,
  );
  const startReplica = () => startEmbedded(folders.replica, { hot_standby: "on" });
  servers.primary = await startEmbedded(folders.primary);
  servers.replica = await startReplica();
  return {
    folders,
    open,
    urlOf: (which: keyof typeof servers) => {
      const { host, port, user, database } = servers[which]!.connection;
      return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    },
    /** Settles when the replica has stopped by itself. */
    replicaEnded: () => servers.replica!.ended,
    restartReplica: async () => {
      servers.replica = await startReplica();
    },
    stop: async () => {
      await servers.replica!.stop();
      await servers.primary.stop();
      for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true });
    },
  };
}
export type StreamingPair = Awaited<ReturnType<typeof streamingPair>>;
