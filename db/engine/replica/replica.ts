import { type CompiledQuery, type QueryResult, sql } from "kysely";
import pg from "pg";

import { cutConnections, type Database, poolOf } from "../connect.ts";
import { type Copier, copyBy, copyFrom, NotTaken } from "../copy.ts";
import { afterSilence } from "../away/silent.ts";
import { databaseThrough } from "../through.ts";

/**
 * A read replica: a hot standby that replays the primary's write-ahead log (WAL). Every second a check decides whether
 * it can be read. Whether it has a person's own writes is checked at each of their requests.
 */
export type Replica = {
  /** A database for reading, without transactions. If the replica fails, the primary answers. */
  reads: Database;
  /** Whether the replica can be read and has replayed the log up to this position (null: any). */
  hasReached: (position: string | null) => Promise<boolean>;
  /**
   * Why the replica is not read (null: it is), how far it may be behind, how many reading requests each server got, and
   * how many statements failed on the replica.
   */
  state: () => {
    fault: string | null;
    lagSeconds: number;
    requests: { replica: number; primary: number };
    failures: number;
  };
  close: () => Promise<void>;
};

const lookEveryMs = 1000;
/** The time limit of a check. Without one, a check on a dead network path would wait for ever. */
const patienceMs = 3000;
/** PostgreSQL cancelled the statement at its time limit: the primary would not be faster. */
const tooSlow = "57014";

/** A position in the write-ahead log, which PostgreSQL writes as two hexadecimal halves. */
const placeOf = (position: string): bigint => {
  const [high, low] = position.split("/") as [string, string];
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

type Standing = { position: string | null; isStandby: boolean; database: string };
const database = sql<string>`(select system_identifier from pg_control_system()) || ' ' || (select oid from pg_database where datname = current_database())`;

/**
 * The identity of the database, and the position up to which its write-ahead log is on disk (primary) or replayed
 * (standby).
 */
async function findStanding(handle: Database): Promise<Standing> {
  const { rows } = await sql<Standing>`select ${database} as database, pg_is_in_recovery() as is_standby,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end)::text as position`.execute(
    handle,
  );
  return rows[0]!;
}

async function findReplayed(handle: Database): Promise<bigint> {
  const { rows } = await sql<{ position: string | null }>`select pg_last_wal_replay_lsn()::text as position`.execute(
    handle,
  );
  return rows[0]!.position === null ? 0n : placeOf(rows[0]!.position);
}

const unasked = "it has not been asked yet";

/**
 * Starts to read from a replica. Closing the result closes `replica` too. The address must belong to one server:
 * several servers behind one address would have replayed different positions.
 *
 * @param mostLagSeconds a replica that may be further behind is not read
 * @param onChange called with a reason when the replica is not read at the start or no longer read, and with null when
 *   it is read again
 */
export async function openReplica(
  { primary, replica, mostLagSeconds }: { primary: Database; replica: Database; mostLagSeconds: number },
  onChange: (fault: string | null) => void = () => {},
): Promise<Replica> {
  let fault: string | null = unasked;
  let isClosed = false;
  /**
   * A position of the primary and the time when it was read: a replica that has replayed it has everything written
   * before that time.
   */
  let mark: { place: bigint; at: number } | undefined;
  let completeUntil = -Infinity;
  let replayed = 0n;
  const requests = { replica: 0, primary: 0 };
  let failures = 0;
  /** Statements that wait for the replica. If it is given up, they go to the primary. */
  const waiting = new Set<(error: Error) => void>();
  // After a crash, a server continues from an earlier position.
  poolOf(replica).on("connect", () => (replayed = 0n));

  function judge(found: string | null): void {
    if (isClosed || found === fault) return;
    const isNews = found === null || fault === null || fault === unasked;
    fault = found;
    if (found !== null) for (const giveUp of waiting) giveUp(new Error(found));
    if (isNews) onChange(found);
  }

  function orGivenUp<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  }

  /** Updates the state of the replica after a failed statement: the server may have failed, or only the statement. */
  function learn(error: unknown): void {
    const isStatements = error instanceof pg.DatabaseError && !/^(08|53|57P|58|XX)/.test(error.code ?? "");
    if (!isStatements) judge((error as Error).message);
  }

  async function compare(): Promise<string | null> {
    const [here, there] = await Promise.all([findStanding(primary), findStanding(replica)]);
    if (!there.isStandby || there.position === null) return "it is no replica (pg_is_in_recovery)";
    if (there.database !== here.database) return "it is a replica of another database";
    replayed = placeOf(there.position);
    const place = placeOf(here.position!);
    const now = Date.now();
    const isFirst = mark === undefined;
    if (replayed >= place) completeUntil = now;
    else if (mark && replayed >= mark.place) completeUntil = mark.at;
    if (!mark || replayed >= mark.place) mark = { place, at: now };
    if (now - completeUntil <= mostLagSeconds * 1000) return null;
    return isFirst ? unasked : `it may be more than ${mostLagSeconds} seconds behind`;
  }

  let looking: Promise<void> | undefined;
  function look(): Promise<void> {
    looking ??= (async () => {
      let end = () => {};
      const late = new Promise<never>((_, reject) => {
        end = afterSilence(patienceMs, () => {
          // Statements that wait on its connections go to the primary.
          cutConnections(replica);
          reject(new Error(`it did not answer within ${patienceMs} ms`));
        });
      });
      try {
        judge(await Promise.race([compare(), late]));
      } catch (error) {
        judge((error as Error).message);
      } finally {
        end();
        looking = undefined;
      }
    })();
    return looking;
  }

  const read = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    if (fault !== null) return primary.executeQuery<Row>(query);
    try {
      return await orGivenUp(replica.executeQuery<Row>(query));
    } catch (error) {
      if ((error as { code?: string }).code === tooSlow) throw error;
      learn(error);
      const result = await primary.executeQuery<Row>(query);
      // The primary succeeded, so the replica was at fault: a wrong statement would fail on both.
      failures += 1;
      return result;
    }
  };

  /** The same for a COPY: if the replica fails, the primary runs it from its beginning. */
  const copy: Copier = async (text, take, signal) => {
    if (fault === null) {
      const givenUp = new AbortController();
      const giveUp = (error: Error) => givenUp.abort(error);
      waiting.add(giveUp);
      try {
        return await copyFrom(poolOf(replica), text, take, AbortSignal.any([signal, givenUp.signal]));
      } catch (error) {
        if (signal.aborted || error instanceof NotTaken || (error as { code?: string }).code === tooSlow) throw error;
        learn(error);
        failures += 1;
      } finally {
        waiting.delete(giveUp);
      }
    }
    await copyFrom(poolOf(primary), text, take, signal);
  };

  async function hasReached(position: string | null): Promise<boolean> {
    if (fault !== null) return false;
    if (position === null || placeOf(position) <= replayed) return true;
    try {
      replayed = await orGivenUp(findReplayed(replica));
    } catch (error) {
      learn(error);
      return false;
    }
    return placeOf(position) <= replayed;
  }

  await look();
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  const reads = databaseThrough(read, primary);
  copyBy(reads, copy);
  return {
    reads,
    async hasReached(position) {
      const found = await hasReached(position);
      requests[found ? "replica" : "primary"] += 1;
      return found;
    },
    state: () => ({ fault, lagSeconds: (Date.now() - completeUntil) / 1000, requests, failures }),
    async close() {
      isClosed = true;
      clearInterval(timer);
      await replica.destroy();
    },
  };
}
