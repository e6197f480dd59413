import pg from "pg";

import { cutConnections, type Database, poolOf, setAway } from "./connect.ts";
import { cut } from "./silent.ts";

/**
 * Watches the database over a connection of its own, so that whether it answers is known before anybody asks. Where nothing is heard
 * of it for too long, a network path swallows what is sent: all connections are closed, what waits on them ends, and new ones are made,
 * to whatever address the name has by then.
 */
export type Watch = {
  /** Why the database cannot be used; null when it can. Known at once. */
  fault: () => string | null;
  /** The same; where the database is away, after the look that is on its way or comes next, within half a second. */
  soon: () => Promise<string | null>;
  close: () => void;
};

export type WatchSettings = {
  /** between two looks, and between two attempts while it is away */
  everyMs: number;
  awayMs: number;
  /** a look that took so long tells that the database is away */
  patienceMs: number;
  /** connections of which nothing was heard for so long lead nowhere */
  silenceMs: number;
};
const usualWatch: WatchSettings = { everyMs: 1000, awayMs: 100, patienceMs: 3000, silenceMs: 10_000 };

const soonMs = 500;

/** @param more other pools of connections to the same database */
export async function openWatch(db: Database, settings: Partial<WatchSettings> = {}, more: Database[] = []): Promise<Watch> {
  const { everyMs, awayMs, patienceMs, silenceMs } = { ...usualWatch, ...settings };
  const { options } = poolOf(db);
  let fault: string | null = "it has not been asked yet";
  let isClosed = false;
  let heardAt = Date.now();
  let client: pg.Client | undefined;
  let wake = () => {};
  const waiting = new Set<() => void>();

  const markAway = (isAway: boolean) => {
    for (const each of [db, ...more]) setAway(each, isAway);
  };
  const judge = (found: string | null) => {
    fault = found;
    markAway(found !== null);
    for (const tell of waiting) tell();
  };

  const cutAll = () => {
    for (const each of [db, ...more]) cutConnections(each);
  };

  async function open(): Promise<pg.Client> {
    const opened = new pg.Client({ ...options, connectionTimeoutMillis: patienceMs });
    opened.on("error", () => {});
    // Its end is news, which need not be asked for.
    opened.once("end", () => {
      if (client !== opened) return;
      client = undefined;
      judge("the connection to it ended");
      wake();
    });
    await opened.connect();
    return opened;
  }

  async function look(): Promise<string | null> {
    client ??= await open();
    const asked = client;
    // Who has waited in vain for a connection by then is told that the database is away, not that others are busy.
    const slow = setTimeout(() => markAway(true), patienceMs / 3);
    const late = setTimeout(() => judge(`it has not answered for ${patienceMs / 1000} seconds`), patienceMs);
    const silent = setTimeout(() => cut(asked), silenceMs);
    try {
      const { rows } = await asked.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
      if (!rows[0]!.isStandby) return null;
      // It was the primary once: by its name another may be found now.
      client = undefined;
      cut(asked);
      cutAll();
      return "it is a standby, which takes no writes";
    } finally {
      clearTimeout(slow);
      clearTimeout(late);
      clearTimeout(silent);
    }
  }

  async function lookAgain(): Promise<void> {
    try {
      judge(await look());
      heardAt = Date.now();
    } catch (error) {
      if (error instanceof pg.DatabaseError) heardAt = Date.now();
      judge((error as Error).message);
    }
    if (Date.now() - heardAt < silenceMs) return;
    cutAll();
    heardAt = Date.now();
  }

  async function keepLooking(): Promise<void> {
    await lookAgain();
    if (isClosed) return;
    let timer: NodeJS.Timeout | undefined;
    wake = () => {
      clearTimeout(timer);
      wake = () => {};
      if (!isClosed) void keepLooking();
    };
    timer = setTimeout(wake, fault === null ? everyMs : awayMs).unref();
  }
  await keepLooking();

  return {
    fault: () => fault,
    soon: () =>
      fault === null
        ? Promise.resolve(null)
        : new Promise((resolve) => {
            const tell = () => {
              clearTimeout(timer);
              waiting.delete(tell);
              resolve(fault);
            };
            const timer = setTimeout(tell, soonMs);
            waiting.add(tell);
          }),
    close() {
      isClosed = true;
      wake();
      const last = client;
      client = undefined;
      void last?.end().catch(() => {});
    },
  };
}
