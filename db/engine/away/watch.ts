import pg from "pg";

import { cutConnections, type Database, poolOf, setAway } from "../connect.ts";
import { afterSilence, cut } from "./silent.ts";

/**
 * Checks the database over a separate connection, so that its state is known before a request needs it. If there is no
 * answer for too long, the network path is dead: all connections are closed, statements that wait on them fail, and new
 * connections are opened, to the address that the host name has then. Time in which this process itself is blocked does
 * not count (`afterSilence`).
 */
export type Watch = {
  /** Why the database cannot be used; null if it can. Returns immediately. */
  fault: () => string | null;
  close: () => void;
};

export type WatchSettings = {
  /** between two checks, and between two attempts while it is away */
  everyMs: number;
  awayMs: number;
  /** if a check has no answer for this long, the database is away */
  patienceMs: number;
  /** if a check has no answer for this long, all connections are dead */
  silenceMs: number;
};
const usualWatch: WatchSettings = { everyMs: 1000, awayMs: 100, patienceMs: 3000, silenceMs: 6000 };

/** @param more other pools of the same database */
export async function openWatch(
  db: Database,
  settings: Partial<WatchSettings> = {},
  more: Database[] = [],
): Promise<Watch> {
  const { everyMs, awayMs, patienceMs, silenceMs } = { ...usualWatch, ...settings };
  const unanswered = `it has not answered for ${patienceMs / 1000} seconds`;
  const { options } = poolOf(db);
  let fault: string | null = "it has not been asked yet";
  let isClosed = false;
  let heardAt = Date.now();
  let client: pg.Client | undefined;
  let wake = () => {};

  const markAway = (isAway: boolean) => {
    for (const each of [db, ...more]) setAway(each, isAway);
  };
  const judge = (found: string | null) => {
    fault = found;
    markAway(found !== null);
  };

  const cutAll = () => {
    for (const each of [db, ...more]) cutConnections(each);
  };

  async function open(): Promise<pg.Client> {
    const opened = new pg.Client({ ...options, connectionTimeoutMillis: 0 });
    opened.on("error", () => {});
    // The server reports the end of this connection at once; no check is needed.
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
    // After a third of the time, a failed wait for a connection is reported as "database away" and no longer as "all
    // connections busy".
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
    close() {
      isClosed = true;
      wake();
      const last = client;
      client = undefined;
      void last?.end().catch(() => {});
    },
  };
}
