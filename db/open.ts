import { resolve } from "node:path";

import { connect, type Database } from "./engine/connect.ts";
import { openEmbedded } from "./engine/embedded/embedded.ts";
import { migrate } from "./migrate.ts";

/**
 * Opens the product's database for a command, and by default migrates it: the server of `DATABASE_URL`, or the embedded
 * server of the data folder, which is started if the product does not run.
 */
export async function openDatabase(
  { DATABASE_URL, DATA_DIR, TIME_ZONE }: { DATABASE_URL?: string | undefined; DATA_DIR: string; TIME_ZONE: string },
  onError: (error: Error) => void,
  { upToDate = true }: { upToDate?: boolean } = {},
): Promise<{ db: Database; close: () => Promise<void> }> {
  const embedded = DATABASE_URL ? undefined : await openEmbedded(resolve(DATA_DIR));
  const db = connect(DATABASE_URL ?? embedded!.connection, TIME_ZONE, onError, 2);
  const close = async () => {
    await db.destroy();
    await embedded?.stop();
  };
  try {
    if (upToDate) await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, close };
}
