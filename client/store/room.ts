import { read, write } from "./database.ts";
import type { Kind } from "./database.ts";
import { sealedName } from "./sealing.ts";
import { findHolder } from "./store.ts";

/** Keeps a kind of records within bounds. */

const usedAgainAfterMs = 10 * 60 * 1000;

/** Notes that a record was looked at, so that it is thrown away later than what was not. */
export async function noteUse(kind: Kind, key: string): Promise<void> {
  const holder = await findHolder();
  if (!holder) return;
  const id = await sealedName(holder, kind, key);
  await write(["record"], async (transaction) => {
    const records = transaction.objectStore("record");
    const record = await records.get([holder.owner, kind, id]);
    if (record && Date.now() - record.usedAt > usedAgainAfterMs) await records.put({ ...record, usedAt: Date.now() });
  });
}

/** Throws away whole groups, the one that was looked at longest ago first, until a kind takes no more than so many bytes. */
export async function makeRoom(kind: Kind, most: number): Promise<void> {
  const owner = (await findHolder())?.owner;
  if (!owner) return;
  const groups = new Map<string, { bytes: number; usedAt: number; keys: [string, Kind, string][] }>();
  let total = 0;
  await read(async (db) => {
    // By keys alone: what the records hold stays on the disk.
    let cursor = await db.transaction("record").store.index("use").openKeyCursor(IDBKeyRange.bound([owner, kind], [owner, kind, []]));
    for (; cursor; cursor = await cursor.continue()) {
      const [, , name, usedAt, bytes] = cursor.key;
      const group = groups.get(name) ?? { bytes: 0, usedAt: 0, keys: [] };
      groups.set(name, { bytes: group.bytes + bytes, usedAt: Math.max(group.usedAt, usedAt), keys: [...group.keys, cursor.primaryKey] });
      total += bytes;
    }
  });
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
