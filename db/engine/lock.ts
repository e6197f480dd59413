import type pg from "pg";

import { type Database, poolOf } from "./connect.ts";
import { askWithin, within } from "./away/silent.ts";

/**
 * Locks that all instances on one database share, for work that may take minutes. They are advisory locks of
 * PostgreSQL. Each instance holds its locks in one session, which it takes from the pool while it holds any lock. So
 * the locks of a killed instance are free immediately. (A connection pooler in front of PostgreSQL must use session
 * pooling, as for migrations.)
 */
type SharedLocks = {
  /**
   * Takes the lock if it is free. `onWanted` is called when another caller wants it, and when it was lost with the
   * connection.
   *
   * @returns a function that releases it; undefined if another holds it
   */
  tryTake: (name: string, onWanted?: () => void) => Promise<(() => Promise<void>) | undefined>;
  /** Notifies the lock's holder, in any instance, that another caller wants it. */
  ask: (name: string) => Promise<void>;
  /** Releases all locks of this instance and their session. Call it before the pool is closed. */
  end: () => Promise<void>;
};

const channel = "lock_wanted";
/** The time limit of a statement in this session. It can be short because none waits for a lock. */
const silentSeconds = 10;

const opened = new WeakMap<Database, SharedLocks>();

/** The locks of this instance: one session for all callers. */
export function sharedLocks(db: Database): SharedLocks {
  const known = opened.get(db);
  if (known) return known;
  const locks = open(poolOf(db));
  opened.set(db, locks);
  return locks;
}

type Session = { query: (text: string, values?: unknown[]) => Promise<boolean>; end: () => Promise<void> };

function open(pool: pg.Pool): SharedLocks {
  /**
   * Locks that this instance holds or is taking. PostgreSQL lets a session take its own lock twice, so they are checked
   * first.
   */
  const held = new Map<string, () => void>();
  let session: Promise<Session> | undefined;

  function begin(): Promise<Session> {
    const mine = pool.connect().then(async (client) => {
      const onNotification = ({ payload }: pg.Notification) => held.get(payload ?? "")?.();
      const onEnd = () => {
        if (session !== mine) return;
        session = undefined;
        const lost = [...held.values()];
        held.clear();
        for (const notify of lost) notify();
      };
      client.on("notification", onNotification).once("end", onEnd);
      // One statement at a time, because many may call at once.
      let turn: Promise<unknown> = Promise.resolve();
      const query: Session["query"] = (text, values) => {
        const answer = turn.then(() =>
          within(client, silentSeconds, () => client.query<{ done: boolean }>(text, values)),
        );
        turn = answer.catch(() => {});
        return answer.then(({ rows }) => rows[0]?.done ?? false);
      };
      const end = async () => {
        client.off("notification", onNotification).off("end", onEnd);
        const failed = await query(`unlisten ${channel}`)
          .then(() => query("select pg_advisory_unlock_all()"))
          .then(
            () => false,
            () => true,
          );
        client.release(failed);
      };
      try {
        await query(`listen ${channel}`);
      } catch (error) {
        await end();
        throw error;
      }
      return { query, end };
    });
    mine.catch(() => {
      if (session === mine) session = undefined;
    });
    return mine;
  }

  /** Returns the session to the pool after the last lock. */
  async function endUnused(): Promise<void> {
    if (held.size > 0 || !session) return;
    const ending = session;
    session = undefined;
    await ending.then(({ end }) => end()).catch(() => {});
  }

  async function giveBack(name: string): Promise<void> {
    const using = session;
    try {
      if (held.has(name) && using)
        await (await using).query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]);
    } catch {
      // The session is gone, and the lock with it.
    } finally {
      held.delete(name);
      await endUnused();
    }
  }

  return {
    async tryTake(name, onWanted = () => {}) {
      if (held.has(name)) return undefined;
      held.set(name, onWanted);
      let isTaken = false;
      try {
        session ??= begin();
        isTaken = await (await session).query("select pg_try_advisory_lock(hashtextextended($1, 0)) as done", [name]);
      } finally {
        if (!isTaken) {
          held.delete(name);
          await endUnused();
        }
      }
      return isTaken ? () => giveBack(name) : undefined;
    },
    async ask(name) {
      const own = held.get(name);
      if (own) own();
      else await askWithin(pool, silentSeconds, { text: "select pg_notify($1, $2)", values: [channel, name] });
    },
    async end() {
      held.clear();
      await endUnused();
    },
  };
}
