import pg from "pg";

/** All connections are in use, and none became free in time. */
export class AllBusy extends Error {
  override name = "AllBusy";
}

/** pg's errors for a timeout: no connection became free, or a new one was not accepted in time. */
const lateMessage = /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;

/**
 * A pool that distinguishes the two reasons for a timeout: the database cannot be reached, or all connections are busy.
 */
export class Connections extends pg.Pool {
  /** whether the database is known to be away (away/watch.ts) */
  isAway = false;
  /** the total seconds that statements have waited for a connection */
  waitedSeconds = 0;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback);
    const [isFree, begun] = [this.idleCount > 0, performance.now()];
    const connected = super.connect().catch((error: Error) => {
      throw !this.isAway && lateMessage.test(error.message)
        ? new AllBusy("all connections are busy", { cause: error })
        : error;
    });
    return isFree ? connected : connected.finally(() => (this.waitedSeconds += (performance.now() - begun) / 1000));
  }
}
