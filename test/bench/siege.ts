import { type ClientRequest, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

import type { Load } from "./children.ts";
import { requestOf } from "./compare.ts";
import { password } from "./country.ts";
import { atMost, type Goal } from "./goals.ts";
import type { Place } from "./place.ts";
import { memoryOf } from "./processes.ts";
import { startProduct } from "./product.ts";
import type { Question } from "./questions.ts";
import type { Samples } from "./samples.ts";
import { figure, table } from "./table.ts";

/** All attacks at once, from this machine, while three people work: how long these wait, and whether memory grows. */

const people = { connections: 3, pauseMs: 200, warmSeconds: 5 };
const idleConnections = 1000;
const slowBodies = 100;
const stalledUploads = 8;
/** Each is a network of its own to the gateway. */
const addresses = 2000;
const addressOf = (round: number) => {
  const number = round % addresses;
  return `127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}`;
};

type Target = {
  port: number;
  /** of somebody with a token */
  headers: Record<string, string>;
  /** of somebody who is signed in and knows the own password */
  session: Record<string, string>;
};

/** Sends a request and returns its status; 0 if the connection ended without one. */
const send = (
  { port }: Pick<Target, "port">,
  path: string,
  headers: Record<string, string>,
  body: string,
  localAddress?: string,
): Promise<number> =>
  new Promise((resolve) => {
    const sent: ClientRequest = request(
      { port, host: "127.0.0.1", path, method: "POST", headers, ...(localAddress ? { localAddress } : {}) },
      (answer) => {
        answer
          .resume()
          .on("end", () => resolve(answer.statusCode ?? 0))
          .on("error", () => resolve(0));
      },
    );
    sent.on("error", () => resolve(0)).end(body);
  });

const json = { "content-type": "application/json" };
let bombs = 0;
const bomb = (directives: number) =>
  JSON.stringify({ query: `{ system { today ${"@a".repeat(directives)} @b${(bombs += 1)} } }` });
let aliases = 0;
/** Each has another alias, so that no kept answer is sent. */
const groups = (days: number) =>
  JSON.stringify({
    query: `{ of${(aliases += 1)}: assessmentGroups(by: [MODE, LIBRARY_VERSION], start: "${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}") { assessments } }`,
  });

type Attack = {
  /** how many attackers there are */
  atOnce: number;
  once: (target: Target, round: number) => Promise<number>;
};
/** The attacks. Each attacker repeats one of them, with a pause between. */
const attacks: Record<string, Attack> = {
  "a stranger's parse bomb of 50 kB": { atOnce: 3, once: (to) => send(to, "/graphql", json, bomb(24_800)) },
  "a stranger's parse bomb of 2 kB": { atOnce: 3, once: (to) => send(to, "/graphql", json, bomb(900)) },
  "a person's parse bomb of 10 kB": {
    atOnce: 3,
    once: (to) => send(to, "/graphql", { ...json, ...to.headers }, bomb(4800)),
  },
  "a person's groups": {
    atOnce: 3,
    once: (to, round) => send(to, "/graphql", { ...json, ...to.headers }, groups([365, 90, 30][round % 3]!)),
  },
  "a wrong password, from each of 2,000 addresses in turn": {
    atOnce: 400,
    once: (to, round) =>
      send(to, "/api/v1/auth", json, signIn(`nobody${round % 500}`, "wrong-password"), addressOf(round)),
  },
  "a person's own right password": {
    atOnce: 24,
    once: (to) =>
      send(to, "/api/v1/user/me/secondFactor/begin", { ...json, ...to.session }, JSON.stringify({ password })),
  },
};
const pauseMs = 50;
const reopenMs = 1000;

const signIn = (login: string, typed: string) => JSON.stringify({ login, password: typed });
/** Signs somebody in; the cookies are those that their browser has then. */
async function cookiesOf(port: number, login: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth`, {
    method: "POST",
    headers: json,
    body: signIn(login, password),
  });
  if (!answer.ok) throw new Error(`Sign-in of ${login}: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}
const betweenSignInsMs = 10_000;

type Phase = { isOver: boolean };
type Held = { open: Set<Socket>; /** how often a connection was opened again */ reopened: number };

/**
 * Holds connections that send nothing, bodies that hardly arrive, and uploads that stop, until the siege is over. A
 * connection that the gateway ends is opened again after a pause, so there are never more at once than wanted.
 */
async function hold({ port, headers }: Target, held: Held, phase: Phase): Promise<void> {
  const keep = async (first: string, drip: boolean) => {
    while (!phase.isOver) {
      const socket = connect(port, "127.0.0.1");
      held.open.add(socket);
      socket.on("error", () => {}).resume();
      if (first) socket.write(first);
      const timer = drip ? setInterval(() => socket.write(" "), 20_000) : undefined;
      await new Promise((resolve) => socket.once("close", resolve));
      clearInterval(timer);
      held.open.delete(socket);
      if (phase.isOver) return;
      await setTimeout(reopenMs);
      held.reopened += 1;
    }
  };
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n`;
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const stalled = `${head("/api/v1/tdb", "multipart/form-data; boundary=b")}${own.join("")}\r\n--b\r\ncontent-disposition: form-data; name="files"; filename="a.tdbx"\r\n\r\nxxx`;
  await Promise.all([
    ...Array.from({ length: idleConnections }, () => keep("", false)),
    ...Array.from({ length: slowBodies }, (_, n) =>
      keep(`${head("/api/v1/auth", "application/json")}\r\n{`, n % 2 === 0),
    ),
    ...Array.from({ length: stalledUploads }, () => keep(stalled, false)),
  ]);
}

/** Signs somebody in again and again, with a browser in which they signed in before. @returns milliseconds of each */
async function signInAgain(port: number, cookie: string, phase: Phase): Promise<number[]> {
  const waits: number[] = [];
  while (!phase.isOver) {
    const begin = performance.now();
    const status = await send({ port }, "/api/v1/auth", { ...json, cookie }, signIn("bench-2", password));
    waits.push(status === 200 ? performance.now() - begin : Infinity);
    await setTimeout(betweenSignInsMs);
  }
  return waits;
}

export async function endureSiege(
  place: Place,
  { samples, question, load, seconds }: { samples: Samples; question: Question; load: Load; seconds: number },
): Promise<{ goals: Goal[]; text: string }> {
  const product = await startProduct(place);
  const { headers = {} } = product.asToken({ method: "POST", path: "/graphql" });
  const { port } = product;
  const target = { port, headers, session: { cookie: await cookiesOf(port, "bench-1") } };
  const cookie = await cookiesOf(port, "bench-2");
  const requests = question.operations(samples).map((operation) => requestOf(product, question, operation));
  const phase: Phase = { isOver: false };
  const held: Held = { open: new Set(), reopened: 0 };
  let holding: Promise<void> | undefined;
  const statuses = new Map<string, Map<number, number>>();
  const memory: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    const quiet = await load.run({ port, requests, ...people, seconds: Math.min(seconds, 60) });
    holding = hold(target, held, phase);
    const attacking = Object.entries(attacks).flatMap(([name, { atOnce, once }]) =>
      Array.from({ length: atOnce }, async (_, offset) => {
        const found = statuses.get(name) ?? new Map<number, number>();
        statuses.set(name, found);
        for (let round = offset; !phase.isOver; round += atOnce) {
          const status = await once(target, round);
          found.set(status, (found.get(status) ?? 0) + 1);
          await setTimeout(pauseMs);
        }
      }),
    );
    timer = setInterval(() => memory.push(memoryOf(product.pid)), Math.max(1000, (seconds * 1000) / 10));
    const signIns = signInAgain(port, cookie, phase);
    const busy = await load.run({ port, requests, ...people, seconds });
    phase.isOver = true;
    await Promise.all(attacking);
    const waits = await signIns;
    const half = Math.ceil(memory.length / 2);
    const growth = Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half));
    return {
      goals: [
        atMost(
          "siege: p95 of three people against the quiet one",
          busy.p95 / quiet.p95,
          3,
          " x",
          `${figure(quiet.p95)} ms before, ${figure(busy.p95)} ms meanwhile`,
        ),
        {
          what: "siege: their requests that failed",
          measured: String(busy.errors),
          wanted: "none",
          reached: busy.errors === 0,
          why: busy.error ?? "",
        },
        atMost(
          "siege: longest sign-in with a browser used before",
          Math.max(...waits) / 1000,
          5,
          " s",
          `${waits.length} sign-ins`,
        ),
        atMost("siege: memory of the second half against the first", growth, 1.1, " x", `MB: ${memory.join(", ")}`),
      ],
      text: `${seconds} seconds of siege: ${idleConnections} idle connections, ${slowBodies} slow bodies, ${stalledUploads} stalled uploads (${held.reopened} times one of them was opened again after its end), and attackers:
${table(
  ["attack", "at once", "answers by status"],
  [...statuses].map(([name, found]) => [
    name,
    String(attacks[name]!.atOnce),
    [...found].map(([status, times]) => `${times} × ${status}`).join(", "),
  ]),
)}
  three people: p50 ${figure(quiet.p50)}, p95 ${figure(quiet.p95)} and p99 ${figure(quiet.p99)} ms before, ${figure(busy.p50)}, ${figure(busy.p95)} and ${figure(busy.p99)} ms meanwhile (${busy.requests} requests)`,
    };
  } finally {
    phase.isOver = true;
    clearInterval(timer);
    for (const socket of held.open) socket.destroy();
    await holding;
    await product.stop();
  }
}
