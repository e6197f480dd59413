import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connect } from "../../db/engine/connect.ts";
import { startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { type Options, readOptions } from "./options.ts";
import { startProxy } from "./nginx.ts";
import { buildPrevious, findPrevious } from "./release.ts";
import { upgradeUnderStorm } from "./upgrade.ts";

const say = (line: string): void => console.log(line);

async function run({ previous, nginx, ...pace }: Options): Promise<number> {
  const commit = await findPrevious(previous);
  if (commit === undefined)
    throw new Error("The previous release is not in this history: fetch all of it, or name a commit with --previous.");
  say(`The previous release is ${commit}. It is built below dist/previous, unless it is there already …`);
  const release = await buildPrevious(commit);
  const folder = await mkdtemp(join(tmpdir(), "platform-postgres-"));
  const postgres = await startEmbedded(folder);
  const { host, port, user, database } = postgres.connection;
  const db = connect(postgres.connection, "Africa/Lusaka", () => {});
  try {
    const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    const { figures, failures, lost, promised, counts } = await upgradeUnderStorm(
      release,
      { db, url },
      pace,
      say,
      nginx ? await startProxy() : undefined,
    );
    console.table(figures);
    for (const failure of failures) say(failure);
    for (const each of lost.slice(0, 20)) say(`lost: ${each}`);
    say(
      `${commit} to this version: ${counts.requests} requests, ${counts.unanswered} made again because nobody answered, ${failures.length} failures; of ${promised} answered writes ${lost.length} are lost or wrong.`,
    );
    return failures.length + lost.length === 0 ? 0 : 1;
  } finally {
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the exit code: 0 if nothing failed and nothing was lost, 1 otherwise, 2 if the options are wrong */
export async function runTrial(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") {
    say(options);
    return args.includes("--help") || args.includes("-h") ? 0 : 2;
  }
  return run(options);
}
