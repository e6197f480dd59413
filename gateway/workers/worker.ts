import { resolve } from "node:path";
import { availableParallelism } from "node:os";

import { connect } from "../../db/engine/connect.ts";
import { readSettings, type Settings } from "../env.ts";
import { openLog } from "../http/log.ts";
import type { Figures } from "../http/metrics.ts";
import { helpersOn } from "../reading/shares.rules.ts";
import { openServing, type Serving } from "./serving.ts";
import { connectionsOfWorker } from "./workers.rules.ts";

/** A worker: one of the processes that serve the gateway's port. The primary (primary.ts) starts and ends it. */

export type ToWorker = "give figures" | "leave" | { sum: string };
export type FromWorker = "want sum" | { serving: string } | { figures: Figures };

const tell = (message: FromWorker): Promise<void> =>
  new Promise((told) => (process.connected ? process.send!(message, () => told()) : told()));

async function start(given: Settings): Promise<void> {
  const settings = { ...given, DATA_DIR: resolve(given.DATA_DIR) };
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT });
  let readFigures = async (): Promise<Figures> => [];
  let wanting: ((sum: string) => void)[] = [];
  let serving: Serving | undefined;
  let isStopping = false;
  const stop = async (how?: "for others") => {
    if (isStopping) return;
    isStopping = true;
    await serving?.close(how);
    await tell({ figures: await readFigures() });
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
  // The primary is gone.
  process.on("disconnect", () => process.exit(1));
  process.on("message", (message: ToWorker) => {
    if (message === "leave") void stop("for others");
    else if (message === "give figures") void readFigures().then((figures) => tell({ figures }));
    else for (const resolve of wanting.splice(0)) resolve(message.sum);
  });

  const onError = (error: Error) => isStopping || log.error({ err: error }, "The database ended a connection");
  const connection = settings.DATABASE_URL!;
  const db = connect(
    connection,
    settings.TIME_ZONE,
    onError,
    connectionsOfWorker,
    settings.STATEMENT_SECONDS,
    helpersOn(availableParallelism()),
  );
  const others = {
    share: (read: () => Promise<Figures>) => (readFigures = read),
    sum: () =>
      new Promise<string>((resolve) => {
        wanting.push(resolve);
        void tell("want sum");
      }),
  };
  serving = await openServing({ settings, log, connection, db, others });
  await tell({ serving: await serving.listen() });
}

try {
  await start(readSettings());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
