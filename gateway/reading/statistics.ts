import type { Database } from "../../db/engine/connect.ts";
import { findStatistics } from "../../db/system/statistics.ts";
import type { Statistics } from "./reads.rules.ts";

const freshMs = 60_000;

/** The table sizes of a database, about a minute old at most. Nobody waits for them. */
export async function keepStatistics(db: Database, onError: (error: unknown) => void): Promise<() => Statistics> {
  let kept: Statistics = await findStatistics(db);
  let readAt = Date.now();
  return () => {
    if (Date.now() - readAt > freshMs) {
      readAt = Date.now();
      findStatistics(db).then((found) => (kept = found), onError);
    }
    return kept;
  };
}
