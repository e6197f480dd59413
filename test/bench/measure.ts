import type { Load } from "./children.ts";
import type { Request } from "./connection.ts";
import { cpuOf, cpuOfPostgres, memoryOf } from "./processes.ts";

/** What was measured of one answerer under one load. */
export type Figures = {
  perSecond: number;
  /** milliseconds */
  p50: number;
  p99: number;
  /** milliseconds of CPU a request: of the gateway (or floor, or PostGraphile), and of all PostgreSQL processes */
  cpu: number;
  cpuOfPostgres: number;
  /** MB, at the end */
  memory: number;
  /** of an answer, without its headers */
  bytes: number;
  errors: number;
  error: string | null;
};

export type Meter = {
  load: Load;
  postgresFolder: string;
  /** of a measurement; a second of the same load precedes it */
  seconds: number;
  /**
   * of load before a question's first measurement, so that Node.js and PostgreSQL's plans are as in a server that has
   * run for a while
   */
  warm: number;
};

const warmSeconds = 1;

/** Puts load on one answerer, without a measurement. */
export const warmUp = ({ load, warm }: Meter, { port }: { port: number }, requests: Request[]) =>
  load.run({ port, requests, connections: 16, warmSeconds: warm, seconds: 0 });

export async function measure(
  { load, postgresFolder, seconds }: Meter,
  { pid, port }: { pid: number; port: number },
  { requests, connections }: { requests: Request[]; connections: number },
): Promise<Figures> {
  let before = [0, 0];
  const look = () => [cpuOf(pid), cpuOfPostgres(postgresFolder)];
  const outcome = await load.run({ port, requests, connections, warmSeconds, seconds }, () => (before = look()));
  const after = look();
  const each = (index: 0 | 1) => ((after[index]! - before[index]!) * 1000) / outcome.requests;
  return {
    perSecond: outcome.requests / outcome.seconds,
    p50: outcome.p50,
    p99: outcome.p99,
    cpu: each(0),
    cpuOfPostgres: each(1),
    memory: memoryOf(pid),
    bytes: outcome.bytes / outcome.requests,
    errors: outcome.errors,
    error: outcome.error,
  };
}
