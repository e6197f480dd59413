import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { sql } from "kysely";

import type { Database } from "../../db/engine/connect.ts";
import { type KeptQuestion, keptQuestions, keptWrites, lasting, logins } from "../rest/keptQuestions.ts";
import { sampleFacility } from "../support/assessment-data.ts";
import { stranger } from "../support/gateway.ts";
import { streamingPair } from "../system/streaming.ts";
import { type Server, startServer } from "./children.ts";
import type { Goal } from "./goals.ts";
import { zone } from "./place.ts";

/**
 * Compares kept answers with those of a twin that keeps none, on the demonstration country: two gateways on one
 * database, and a third one that reads from a replica. While people write, an answer must equal the twin's answer
 * before or after it. Between writes it must equal the twin's, also at the gateway with the replica.
 */

/**
 * Pairs of a person and a question that are under way at a time, and how often each is sent: to each gateway on the one
 * database, and to the one with the replica.
 */
const atOnce = 4;
const times = 24;
const timesOfReplica = 4;
const pauseOfWriterMs = 60;
/** Comparisons of a round: while somebody writes, and between writes. */
const round = { beside: 150, between: 50 };
/** How often a comparison is repeated if two changes were made during it. */
const mostTries = 20;

type Got = { status: number; text: string; etag: string | undefined };
type Who = { login: string; cookie: string };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function ask(port: number, { cookie }: Who, { path, body }: KeptQuestion): Promise<Got> {
  const sent = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      cookie,
      ...(sent ? { "content-type": "application/json", "content-length": Buffer.byteLength(sent) } : {}),
    };
    const call = request({ host: "127.0.0.1", port, path, method: sent ? "POST" : "GET", headers, agent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode!, text: Buffer.concat(pieces).toString(), etag: answer.headers.etag }),
      );
      answer.on("error", reject);
    });
    call.on("error", reject);
    call.end(sent);
  });
}

const isSame = (one: Got, other: Got) =>
  one.status === other.status &&
  (one.text === other.text ? one.etag === other.etag : lasting(one.text) === lasting(other.text));
const summaryOf = ({ status, text }: Got) => `${status} ${text.slice(0, 200)}`;

async function sentAgain({ port }: Server): Promise<number> {
  return Number(
    /^platform_kept_answers_sent (\d+)/m.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1] ??
      Number.NaN,
  );
}

/** Waits until the replica has everything that was written so far. */
async function caughtUp(primary: Database, standby: Database): Promise<void> {
  const { rows } = await sql<{ place: string }>`select pg_current_wal_insert_lsn()::text as place`.execute(primary);
  for (;;) {
    const { rows: found } = await sql<{
      isThere: boolean;
    }>`select pg_last_wal_replay_lsn() >= ${rows[0]!.place}::pg_lsn as is_there`.execute(standby);
    if (found[0]!.isThere) return;
    await setTimeout(10);
  }
}

export async function weatherStorm(
  answers: number,
  say: (line: string) => void,
): Promise<{ goals: Goal[]; text: string }> {
  const pair = await streamingPair(zone);
  const [primary, standby] = [pair.open("primary"), pair.open("replica")];
  const dataDir = await mkdtemp(join(tmpdir(), "bench-storm-"));
  await mkdir(join(dataDir, "files"));
  const start = (more: Record<string, string> = {}) =>
    startServer("gateway/start.mjs", ["main"], {
      env: {
        NODE_ENV: "production",
        NODE_OPTIONS: "--max-semi-space-size=64",
        DATABASE_URL: pair.urlOf("primary"),
        DATA_DIR: dataDir,
        PORT: "0",
        ...more,
      },
    });
  const servers: Server[] = [];
  try {
    const ownSettings: Record<string, string>[] = [
      {},
      {},
      { REPLICA_DATABASE_URL: pair.urlOf("replica") },
      { KEPT_ANSWERS_MB: "0" },
    ];
    for (const more of ownSettings) servers.push(await start(more));
    const [first, second, reading, twin] = servers as [Server, Server, Server, Server];
    const facilities = await Promise.all([0, 1, 2].map((skip) => sampleFacility(primary, skip)));
    const people = new Map(
      await Promise.all(
        logins.map(async (login) => {
          const person = stranger(`http://127.0.0.1:${twin.port}`);
          const { status, text } = await person.call("POST", "/api/v1/auth", { login, password: "demo-password" });
          if (status !== 200) throw new Error(`${login} could not sign in: ${status} ${text}`);
          return [
            login,
            {
              person,
              who: { login, cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
            },
          ] as const;
        }),
      ),
    );
    const questions = keptQuestions(facilities);
    const writes = keptWrites(
      primary,
      { admin: people.get("admin")!.person, assessor: people.get("assessor")!.person, facilities },
      Math.random,
    );
    const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(Math.random() * values.length)]!;
    const count = { kept: 0, ofReplica: 0, written: 0, beside: 0, again: 0, busy: 0, unsettled: 0 };
    const differences: string[] = [];
    /** A number that every write raises when it begins and when it ends: odd while somebody writes. */
    let write = 0;

    /** Sends a question once, and then many times at once: the later ones may get the first one's answer. */
    async function askOften(
      gateway: Server,
      who: Who,
      question: KeptQuestion,
    ): Promise<{ gateway: Server; answer: Got }[]> {
      const one = async () => ({ gateway, answer: await ask(gateway.port, who, question) });
      const others = (gateway === reading ? timesOfReplica : times) - 1;
      return [await one(), ...(await Promise.all(Array.from({ length: others }, one)))];
    }

    async function compare(gateways: readonly Server[]): Promise<void> {
      const [{ who }, question] = [people.get(oneOf(logins))!, oneOf(questions)];
      const name = `${who.login} ${JSON.stringify(question)}`;
      for (let tries = 0; tries < mostTries; tries += 1) {
        const begun = write;
        const before = await ask(twin.port, who, question);
        const got = (await Promise.all(gateways.map((gateway) => askOften(gateway, who, question)))).flat();
        const after = await ask(twin.port, who, question);
        // A gateway that is busy gives no answer to compare.
        if (
          [before, after, ...got.map(({ answer }) => answer)].some(({ status }) => status === 429 || status === 503)
        ) {
          count.busy += 1;
          await setTimeout(pauseOfWriterMs);
          continue;
        }
        const isQuiet = begun === write && begun % 2 === 0;
        const wrong = got.find(({ answer }) => !isSame(answer, before) && !isSame(answer, after));
        if (isQuiet && !isSame(before, after))
          differences.push(`the twin itself, ${name}: ${summaryOf(before)} but ${summaryOf(after)}`);
        // If two changes were made during it, an answer from between them equals neither of the twin's.
        if (wrong && !isQuiet) {
          count.again += 1;
          continue;
        }
        if (wrong) differences.push(`${name}: ${summaryOf(wrong.answer)} but ${summaryOf(before)}`);
        const ofReplica = got.filter(({ gateway }) => gateway === reading).length;
        count.ofReplica += ofReplica;
        count.kept += got.length - ofReplica;
        if (!isQuiet) count.beside += got.length;
        return;
      }
      count.unsettled += 1;
    }
    async function compareMany(number: number, gateways: readonly Server[]): Promise<void> {
      let left = number;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while ((left -= 1) >= 0) await compare(gateways);
        }),
      );
    }

    const begun = performance.now();
    const before = (await Promise.all(servers.map(sentAgain))).slice(0, 3);
    const isEnough = () => count.kept + count.ofReplica >= answers || differences.length > 20;
    let reportedAt = begun;
    while (!isEnough()) {
      const phase = { isOver: false };
      const writing = (async () => {
        while (!phase.isOver) {
          write += 1;
          await oneOf(writes)();
          write += 1;
          count.written += 1;
          await setTimeout(pauseOfWriterMs);
        }
      })();
      await compareMany(round.beside, [first, second]);
      phase.isOver = true;
      await writing;
      await caughtUp(primary, standby);
      await compareMany(round.between, [first, second, reading]);
      if (performance.now() - reportedAt < 30_000) continue;
      reportedAt = performance.now();
      say(`storm: ${count.kept + count.ofReplica} answers, ${differences.length} differences`);
    }
    const sent = (await Promise.all(servers.slice(0, 3).map(sentAgain))).map((each, index) => each - before[index]!);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    const all = count.kept + count.ofReplica;
    return {
      goals: [
        {
          what: `storm: kept answers that differ from the twin's, of ${all}`,
          measured: String(differences.length),
          wanted: "none",
          reached: differences.length === 0,
          why: differences[0] ?? "",
        },
        {
          what: "storm: questions that were never settled",
          measured: String(count.unsettled),
          wanted: "none",
          reached: count.unsettled === 0,
          why: "",
        },
      ],
      text: `Storm of ${logins.length} people and ${questions.length} questions against a twin that keeps nothing (--questions storm), in ${seconds} s
  ${count.kept} answers of two gateways on one database, ${sent[0]! + sent[1]!} of them sent again; ${count.ofReplica} of a gateway that reads from a replica, ${sent[2]!} of them sent again
  ${count.written} changes; ${count.beside} answers beside a change, ${count.again} comparisons made again because two changes came between, ${count.busy} because a gateway was busy
  ${differences.length} differences${differences.length > 0 ? `:\n  ${differences.slice(0, 20).join("\n  ")}` : ""}`,
    };
  } finally {
    agent.destroy();
    for (const server of servers) await server.stop();
    for (const db of [standby, primary]) await db.destroy();
    await pair.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
