import { read, write } from "./database.ts";
import type { Kind } from "./database.ts";

/** Limits the size of a kind of records. */

/** Deletes whole groups, the least recently used first, until a person's records of a kind take at most `bytes`. */
export async function makeRoom(owner: string, kind: Kind, most: number): Promise<void> {
  const { groups, total: all } = await read(async (db) => {
    const groups = new Map<string, { bytes: number; usedAt: number; keys: [string, Kind, string][] }>();
    let total = 0;
    // By keys only, so that the records are not loaded.
    let cursor = await db
      .transaction("record")
      .store.index("use")
      .openKeyCursor(IDBKeyRange.bound([owner, kind], [owner, kind, []]));
    for (; cursor; cursor = await cursor.continue()) {
      const [, , name, usedAt, bytes] = cursor.key;
      const group = groups.get(name) ?? { bytes: 0, usedAt: 0, keys: [] };
      groups.set(name, {
        bytes: group.bytes + bytes,
        usedAt: Math.max(group.usedAt, usedAt),
        keys: [...group.keys, cursor.primaryKey],
      });
      total += bytes;
    }
    return { groups, total };
  });
  let total = all;
  const leaving: [string, Kind, string][] = [];
  for (const { bytes, keys } of [...groups.values()].toSorted((one, other) => one.usedAt - other.usedAt)) {
    if (total <= most) break;
    total -= bytes;
    leaving.push(...keys);
  }
  if (leaving.length === 0) return;
  await write(["record"], async (transaction) => {
    await Promise.all(leaving.map((key) => transaction.objectStore("record").delete(key)));
  });
}
