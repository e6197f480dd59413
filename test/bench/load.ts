import { createHistogram } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

import { v7 as uuidv7 } from "uuid";

import { bytesOf, freshUuid, openConnection, type Request } from "./connection.ts";

/**
 * The load, in a separate process: connections that each send a request, wait for the answer, and send the next one.
 */

export type Job = {
  port: number;
  /** sent in turn */
  requests: Request[];
  connections: number;
  warmSeconds: number;
  seconds: number;
  /** between an answer and the next request of a connection */
  pauseMs?: number;
};
export type Outcome = {
  requests: number;
  seconds: number;
  /** milliseconds */
  p50: number;
  p95: number;
  p99: number;
  bytes: number;
  errors: number;
  /** the first of them */
  error: string | null;
};
export type Message = { begun: true } | { outcome: Outcome };

async function run(
  { port, requests, connections, warmSeconds, seconds, pauseMs = 0 }: Job,
  begin: () => void,
): Promise<Outcome> {
  const prepared = requests.map((request) => {
    const bytes = bytesOf(request);
    return { bytes, uuidAt: bytes.indexOf(freshUuid) };
  });
  const nextRequest = (): Buffer => {
    const { bytes, uuidAt } = prepared[next++ % prepared.length]!;
    if (uuidAt < 0) return bytes;
    const own = Buffer.from(bytes);
    own.write(uuidv7(), uuidAt, "latin1");
    return own;
  };
  let next = 0;
  const phase = { isCounted: false, isOver: false };
  let bytes = 0;
  let errors = 0;
  let error: string | null = null;
  const times = createHistogram();
  const fail = (reason: string) => {
    errors += 1;
    error ??= reason;
  };
  const work = async () => {
    const connection = openConnection(port);
    while (!phase.isOver) {
      const request = nextRequest();
      const begun = process.hrtime.bigint();
      try {
        const answer = await connection.ask(request);
        if (phase.isCounted && !phase.isOver) {
          times.record(process.hrtime.bigint() - begun);
          bytes += answer.bytes;
          if (answer.failed !== null) fail(answer.failed);
        }
      } catch (lost) {
        fail(String(lost));
        await setTimeout(50);
      }
      if (pauseMs > 0) await setTimeout(pauseMs);
    }
    connection.close();
  };
  const workers = Array.from({ length: connections }, work);
  await setTimeout(warmSeconds * 1000);
  begin();
  phase.isCounted = true;
  const begun = performance.now();
  await setTimeout(seconds * 1000);
  phase.isOver = true;
  const took = (performance.now() - begun) / 1000;
  await Promise.all(workers);
  const ms = (percent: number) => (times.count > 0 ? times.percentile(percent) / 1e6 : Number.NaN);
  return { requests: times.count, seconds: took, p50: ms(50), p95: ms(95), p99: ms(99), bytes, errors, error };
}

process.on("message", (job: Job) => {
  const send = (message: Message) => process.send!(message);
  void run(job, () => send({ begun: true })).then((outcome) => send({ outcome }));
});
process.on("disconnect", () => process.exit(0));
