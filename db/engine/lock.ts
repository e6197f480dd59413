import type pg from "pg";

import { type Database, poolOf } from "./connect.ts";
import { askWithin, within } from "./silent.ts";

/**
 * Locks that all instances on one database share, held for as long as work goes on, which may be minutes. They are PostgreSQL's
 * advisory locks of one session an instance, taken from the pool while any lock is held: a killed instance gives its locks back
 * at once. (A pooler between us and PostgreSQL must keep sessions, as for migrations.)
 */
export type SharedLocks = {
  /**
   * Takes the lock if nobody has it. `onWanted` is called when somebody asks for it, and when it was lost with the database.
   *
   * @returns what gives it back; undefined when it is taken
   */
  tryTake: (name: string, onWanted?: () => void) => Promise<(() => Promise<void>) | undefined>;
  /** Tells who has the lock, here or elsewhere, that somebody wants it. */
  ask: (name: string) => Promise<void>;
  /** Gives back every lock that this instance has, and the session with them: before the pool is closed. */
  end: () => Promise<void>;
};

const channel = "lock_wanted";
/** None of its statements waits for anything. */
const silentSeconds = 10;

const opened = new WeakMap<Database, SharedLocks>();

/** The locks of this instance: one session of the database, however many ask. */
export function sharedLocks(db: Database): SharedLocks {
  const known = opened.get(db);
  if (known) return known;
  const locks = open(poolOf(db));
  opened.set(db, locks);
  return locks;
}

type Session = { query: (text: string, values?: unknown[]) => Promise<boolean>; end: () => Promise<void> };

function open(pool: pg.Pool): SharedLocks {
  /** The locks that are held or being taken here: a session may take its own lock twice, so they are looked up first. */
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
        for (const tell of lost) tell();
      };
      client.on("notification", onNotification).once("end", onEnd);
      // One statement after another: many may ask at once.
      let turn: Promise<unknown> = Promise.resolve();
      const query: Session["query"] = (text, values) => {
        const answer = turn.then(() => within(client, silentSeconds, () => client.query<{ done: boolean }>(text, values)));
        turn = answer.catch(() => {});
        return answer.then(({ rows }) => rows[0]?.done ?? false);
      };
      const end = async () => {
        client.off("notification", onNotification).off("end", onEnd);
        const failed = await query(`unlisten ${channel}`).then(() => query("select pg_advisory_unlock_all()")).then(
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

  /** Gives the session back to the pool when the last lock is gone. */
  async function endUnused(): Promise<void> {
    if (held.size > 0 || !session) return;
    const ending = session;
    session = undefined;
    await ending.then(({ end }) => end()).catch(() => {});
  }

  async function giveBack(name: string): Promise<void> {
    const using = session;
    try {
      if (held.has(name) && using) await (await using).query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]);
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
