import { copy, listCopies, listCopyOwners, removeCopy } from "./copies.ts";
import { isSecure, NotKept, read as readDatabase, readKinds, write } from "./database.ts";
import type { Holder, Kind, SealedRecord } from "./database.ts";
import { makeRoom } from "./room.ts";
import { holderOf, sealed, sealedName, unsealed } from "./sealing.ts";
import { notifyWindows } from "./windows.ts";

/**
 * Records on this device for the person who is signed in, encrypted so that nobody else can read them. Values are JSON.
 * After signing out they stay on the device, encrypted; they can be read when the same person signs in here again.
 */

let holder: Holder | null = null;
/** resolves when it is known who is signed in here, and with which keys */
let opening: Promise<unknown> | undefined;
const flushes = new Set<() => Promise<unknown>>();
const listeners = new Set<() => void>();

const flushMs = 2000;
const usedAgainAfterMs = 10 * 60 * 1000;

const within = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const all = (owner: string, kind: Kind) => IDBKeyRange.bound([owner, kind], [owner, kind, []]);

function hold(next: Holder | null): void {
  const isSame = holder?.owner === next?.owner;
  holder = next;
  if (!isSame) listeners.forEach((listener) => listener());
}

/** Calls back when the readable records change to another person's, or to nobody's. Returns a function that unsubscribes. */
export function onHolder(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Registers work to do before the records are closed, such as storing what is not stored yet. Returns a function that removes it. */
export function beforeClosing(flush: () => Promise<unknown>): () => void {
  flushes.add(flush);
  return () => flushes.delete(flush);
}

/** The person whose records this device can read now: who signed in last and has not signed out. */
export async function findHolder(): Promise<Holder | null> {
  if (!isSecure) return null;
  opening ??= readDatabase((db) => db.get("holder", "now")).then((found) => hold(found ?? null));
  const asked = opening;
  await asked.catch(() => {
    // The device could not read it now; it is asked again next time.
    if (opening === asked) opening = undefined;
  });
  return holder;
}

/** Whether this window's records are still open: no other window has closed them or opened another person's. */
export async function isStillHolder(): Promise<boolean> {
  if (!holder) return true;
  const found = await readDatabase((db) => db.get("holder", "now")).catch(() => holder);
  return found?.owner === holder?.owner;
}

async function theHolder(): Promise<Holder> {
  if (!isSecure) throw new NotKept("insecure");
  const found = await findHolder();
  if (!found) throw new NotKept("closed");
  return found;
}

/** Opens the records of the person who signed in, with their seal key. Deletes what another person fetched here. */
export async function openStore(userUuid: string, askSealKey: () => Promise<string | undefined>): Promise<void> {
  if (!isSecure) return;
  const act = async () => {
    const sealKey = await askSealKey();
    if (!sealKey) return;
    const next = await holderOf(userUuid, sealKey);
    await write(["holder", "record"], async (transaction) => {
      const before = await transaction.objectStore("holder").get("now");
      if (before && before.owner !== next.owner) for (const kind of readKinds) await transaction.objectStore("record").delete(all(before.owner, kind));
      await transaction.objectStore("holder").put(next, "now");
    });
    hold(next);
    notifyWindows({ of: "opened", owner: next.owner });
  };
  // If this fails, nothing can be stored. The failure is reported when something should be stored.
  opening = act().catch(() => hold(null));
  await opening;
}

/**
 * Closes the records: deletes the keys and everything that was fetched. Unsent work stays, encrypted. `note` is stored in the same transaction.
 *
 * @throws NotKept if the device could not do it
 */
export async function closeStore(note?: { name: string; value: unknown }): Promise<void> {
  await Promise.race([Promise.allSettled([...flushes].map((flush) => flush())), within(flushMs)]);
  await write(["holder", "record", "note"], async (transaction) => {
    const before = await transaction.objectStore("holder").get("now");
    if (before) for (const kind of readKinds) await transaction.objectStore("record").delete(all(before.owner, kind));
    await transaction.objectStore("holder").delete("now");
    if (note) await transaction.objectStore("note").put(note.value, note.name);
  });
  dropHolder();
  notifyWindows({ of: "closed", isSignOut: note !== undefined });
}

/** Drops the keys in this window: another window has closed the records or opened another person's. */
export function dropHolder(): void {
  opening = undefined;
  hold(null);
}

/**
 * Stores a value under its name. Resolves when it is on disk. A value with a `group` may be deleted together with it (`makeRoom`).
 *
 * @throws NotKept
 */
export async function keep(kind: Kind, key: string, value: unknown, group?: string): Promise<void> {
  const of = await theHolder();
  const record = await sealed(of, kind, key, value, group);
  const put = () =>
    write(["holder", "record"], async (transaction) => {
      // The person may have signed out in another window meanwhile: then nothing is written.
      if ((await transaction.objectStore("holder").get("now"))?.owner !== of.owner) throw new NotKept("closed");
      await transaction.objectStore("record").put(record);
    });
  await put().catch(async (error: NotKept) => {
    if (error.reason !== "full" || readKinds.includes(kind)) throw error;
    // If the disk is full, work is more important than fetched answers; answers without a group, which open the application, stay.
    for (const read of readKinds) await makeRoom(of.owner, read, 0);
    await put();
  });
  if (kind === "work") await copy(record);
  notifyWindows({ of: "record", kind, key });
}

/** The value stored under this name. Undefined if there is none, or if it cannot be read. */
export async function read<T>(kind: Kind, key: string): Promise<T | undefined> {
  const of = await theHolder();
  const id = await sealedName(of, kind, key);
  const record = await readDatabase((db) => db.get("record", [of.owner, kind, id]));
  return record && ((await unsealed(of, record))?.value as T | undefined);
}

/** Records that a record was used, so that less recently used ones are deleted first. */
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

export type Listed<T> = { key: string; value: T; keptAt: string; bytes: number };

/** All records of a kind, and separately those that cannot be read. */
export async function listAll<T>(kind: Kind): Promise<{ readable: Listed<T>[]; unreadable: SealedRecord[] }> {
  const of = await theHolder();
  const records = await readDatabase((db) => db.getAll("record", all(of.owner, kind)));
  const readable: Listed<T>[] = [];
  const unreadable: SealedRecord[] = [];
  for (const record of records) {
    const found = await unsealed(of, record);
    if (found) readable.push({ key: found.key, value: found.value as T, keptAt: record.keptAt, bytes: record.bytes });
    else unreadable.push(record);
  }
  return { readable, unreadable };
}

/** All readable records of a kind. */
export const list = async <T>(kind: Kind): Promise<Listed<T>[]> => (await listAll<T>(kind)).readable;

/** Deletes the record with this name. @throws NotKept */
export async function forget(kind: Kind, key: string): Promise<void> {
  const of = await theHolder();
  const id = await sealedName(of, kind, key);
  if (kind === "work") await removeCopy({ owner: of.owner, id });
  await write(["record"], (transaction) => transaction.objectStore("record").delete([of.owner, kind, id]));
  notifyWindows({ of: "record", kind, key });
}

/** Deletes a record that cannot be read, after the person has agreed. @throws NotKept */
export async function forgetUnreadable({ owner, kind, id }: SealedRecord): Promise<void> {
  await removeCopy({ owner, id });
  await write(["record"], (transaction) => transaction.objectStore("record").delete([owner, kind, id]));
}

/** Whether this device holds work of a person who is not signed in. */
export async function holdsOthersWork(): Promise<boolean> {
  const owner = (await findHolder())?.owner;
  const keys = await readDatabase((db) => db.getAllKeys("record")).catch(() => []);
  if (keys.some(([of, kind]) => kind === "work" && of !== owner)) return true;
  return isSecure && (await listCopyOwners().catch(() => [])).some((of) => of !== owner);
}

/** Restores the person's work from the copies, once for each new database: the browser may have deleted the one before. */
export async function restoreCopies(): Promise<void> {
  const { owner } = await theHolder();
  const seen = `seen ${owner}`;
  if (await readDatabase((db) => db.get("note", seen))) return;
  const copies = await listCopies(owner);
  await write(["record", "note"], async (transaction) => {
    const records = transaction.objectStore("record");
    for (const record of copies) if (!(await records.getKey([record.owner, record.kind, record.id]))) await records.put(record);
    await transaction.objectStore("note").put(true, seen);
  });
}
