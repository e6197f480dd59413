import pg from "pg";

/** All connections are in use, and none became free in time. */
export class AllBusy extends Error {
  override name = "AllBusy";
}

/** How pg says that nothing came in time: no free connection, or no greeting on a new one. */
const lateMessage = /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;

/** A pool that tells the two reasons apart for which no connection comes in time: the database is away, or too much is asked at once. */
export class Connections extends pg.Pool {
  /** whether the database is known to be away (away/watch.ts) */
  isAway = false;
  /** seconds that statements have waited for a connection, all together */
  waitedSeconds = 0;

  override connect(): Promise<pg.PoolClient>;
  override connect(tell: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(tell?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | void {
    if (tell) return super.connect(tell);
    const [isFree, begun] = [this.idleCount > 0, performance.now()];
    const connected = super.connect().catch((error: Error) => {
      throw !this.isAway && lateMessage.test(error.message) ? new AllBusy("all connections are busy", { cause: error }) : error;
    });
    return isFree ? connected : connected.finally(() => (this.waitedSeconds += (performance.now() - begun) / 1000));
  }
}
