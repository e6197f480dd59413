/**
 * The server's time on this device: the device's clock, corrected by the Date header of the server's answers. The last correction is stored
 * on the device, so that it is known without network too. It is not personal, so it is stored unencrypted for all people of the device.
 */

/** An answer takes a while to arrive. A measured time that is earlier by up to this much may only be late. */
const delayMs = 30_000;
const database = "clock";
const table = "ahead";
const row = "server";

/** How far the device's clock is ahead of the server's, in milliseconds; unknown before the first answer. */
let ahead: number | undefined;
const listeners = new Set<() => void>();

/** The server's time now, as far as this device knows it. */
export const now = (): Date => new Date(Date.now() - (ahead ?? 0));

/** How far the device's clock is ahead of the server's, in milliseconds; negative if it is behind, 0 if nothing is known. */
export const clockIsOffBy = (): number => ahead ?? 0;

/** Calls back when the correction has changed; returns a function that stops it. */
export function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function take(found: number): void {
  ahead = found;
  for (const listener of listeners) listener();
}

/** Takes the server's time from an answer that just arrived, never from a stored one, whose date is old. */
export function learnServerTime(response: Response): void {
  const serverTime = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(serverTime)) return;
  const found = Date.now() - serverTime;
  // The later of two times is nearer to the truth, unless the device's clock was set meanwhile.
  if (ahead !== undefined && found >= ahead && found < ahead + delayMs) return;
  take(found);
  void keep(found);
}

/** A device that stores nothing learns the time from the first answer of each page. */
async function keep(found: number): Promise<void> {
  await within("readwrite", (store) => store.put(found, row)).catch(() => {});
}

async function recall(): Promise<void> {
  const kept = await within("readonly", (store) => store.get(row) as IDBRequest<number | undefined>).catch(() => undefined);
  if (kept !== undefined && ahead === undefined) take(kept);
}

const done = <Result>(asked: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    asked.addEventListener("success", () => resolve(asked.result));
    asked.addEventListener("error", () => reject(asked.error as Error));
  });

/** Not stored in localStorage, because browsers may write that to the disk half a minute later. */
async function within<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const asked = indexedDB.open(database);
  asked.addEventListener("upgradeneeded", () => asked.result.createObjectStore(table));
  const opened = await done(asked);
  try {
    return await done(act(opened.transaction(table, mode, { durability: "strict" }).objectStore(table)));
  } finally {
    opened.close();
  }
}

void recall();
