import pg from "pg";

import { cutConnections, type Database, poolOf, setAway } from "../connect.ts";
import { afterSilence, cut } from "./silent.ts";

/**
 * Checks the database over a connection of its own, so that its state is known before a request needs it. If there is no answer for too long, the
 * network path is dead: all connections are closed, statements that wait on them fail, and new connections are opened, to whatever address the
 * host name has by then. What holds up this process itself is no silence of the database (`afterSilence`).
 */
export type Watch = {
  /** Why the database cannot be used; null if it can. Answers immediately. */
  fault: () => string | null;
  /** The same. While the database is away, it waits for the present or next check, at most half a second. */
  soon: () => Promise<string | null>;
  close: () => void;
};

export type WatchSettings = {
  /** between two checks, and between two attempts while it is away */
  everyMs: number;
  awayMs: number;
  /** a check without an answer for so long means that the database is away */
  patienceMs: number;
  /** connections without an answer for so long are dead */
  silenceMs: number;
};
const usualWatch: WatchSettings = { everyMs: 1000, awayMs: 100, patienceMs: 3000, silenceMs: 6000 };

const soonMs = 500;

/** @param more other pools of the same database */
export async function openWatch(db: Database, settings: Partial<WatchSettings> = {}, more: Database[] = []): Promise<Watch> {
  const { everyMs, awayMs, patienceMs, silenceMs } = { ...usualWatch, ...settings };
  const unanswered = `it has not answered for ${patienceMs / 1000} seconds`;
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
    const opened = new pg.Client({ ...options, connectionTimeoutMillis: 0 });
    opened.on("error", () => {});
    // The end of this connection is reported without a check.
    opened.once("end", () => {
      if (client !== opened) return;
      client = undefined;
      judge("the connection to it ended");
      wake();
    });
    let isSilent = false;
    const end = afterSilence(patienceMs, () => {
      isSilent = true;
      cut(opened);
    });
    try {
      await opened.connect();
    } catch (error) {
      throw isSilent ? new Error(unanswered, { cause: error }) : error;
    } finally {
      end();
    }
    return opened;
  }

  async function look(): Promise<string | null> {
    client ??= await open();
    const asked = client;
    // From then on, a failed wait for a connection says that the database is away, not that all connections are busy.
    const ends = [
      afterSilence(patienceMs / 3, () => markAway(true)),
      afterSilence(patienceMs, () => judge(unanswered)),
      afterSilence(silenceMs, () => cut(asked)),
    ];
    try {
      const { rows } = await asked.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
      if (!rows[0]!.isStandby) return null;
      // This server is no longer the primary: the host name may lead to another one now.
      client = undefined;
      cut(asked);
      cutAll();
      return "it is a standby, which takes no writes";
    } finally {
      for (const end of ends) end();
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
