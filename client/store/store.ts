import { copy, listCopies, listCopyOwners, removeCopy } from "./copies.ts";
import { isSecure, NotKept, read as readDatabase, readKinds, write } from "./database.ts";
import type { Holder, Kind, SealedRecord } from "./database.ts";
import { makeRoom } from "./room.ts";
import {
  holderOf,
  openWithPassword,
  type PasswordSeal,
  sealed,
  sealedName,
  sealWithPassword,
  unsealed,
} from "./sealing.ts";
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
const answeredAgainAfterMs = 60 * 60 * 1000;
const openWithoutAnswerMs = 14 * 24 * 60 * 60 * 1000;
const usedAgainAfterMs = 10 * 60 * 1000;

const within = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const all = (owner: string, kind: Kind) => IDBKeyRange.bound([owner, kind], [owner, kind, []]);

function hold(next: Holder | null): void {
  const isSame = holder?.owner === next?.owner;
  holder = next;
  if (!isSame) listeners.forEach((listener) => listener());
}

/**
 * Calls back when the readable records change to another person's, or to nobody's. Returns a function that
 * unsubscribes.
 */
export function onHolder(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Registers work to do before the records are closed, such as storing what is not stored yet. Returns a function that
 * removes it.
 */
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

const passwordSealNote = "password-seal";

/** The password seal on this device; undefined if the store does not open with a password. */
export async function findPasswordSeal(): Promise<PasswordSeal | undefined> {
  return isSecure
    ? ((await readDatabase((db) => db.get("note", passwordSealNote)).catch(() => undefined)) as
        | PasswordSeal
        | undefined)
    : undefined;
}

/** Stores the password seal, unless the person has signed out meanwhile. */
async function keepPasswordSeal(seal: PasswordSeal): Promise<void> {
  await write(["holder", "note"], async (transaction) => {
    if ((await transaction.objectStore("holder").get("now"))?.owner === seal.owner)
      await transaction.objectStore("note").put(seal, passwordSealNote);
  });
}

/** Makes a person the holder. Deletes what another person fetched here, and that person's password seal. */
async function become(next: Holder): Promise<void> {
  await write(["holder", "record", "note"], async (transaction) => {
    const seal = (await transaction.objectStore("note").get(passwordSealNote)) as PasswordSeal | undefined;
    const before = (await transaction.objectStore("holder").get("now"))?.owner ?? seal?.owner;
    if (before && before !== next.owner) {
      for (const kind of readKinds) await transaction.objectStore("record").delete(all(before, kind));
      await transaction.objectStore("note").delete(passwordSealNote);
    }
    await transaction.objectStore("holder").put(next, "now");
  });
  hold(next);
  notifyWindows({ of: "opened", owner: next.owner });
}

/**
 * Opens the records of the person who signed in at `now`, with their seal key. With the password, they can be opened
 * without network later (`openWithoutNetwork`).
 */
export async function openStore(
  userUuid: string,
  now: number,
  askSealKey: () => Promise<string | undefined>,
  password?: string,
): Promise<void> {
  if (!isSecure) return;
  const act = async () => {
    const sealKey = await askSealKey();
    if (!sealKey) return;
    const next = { ...(await holderOf(userUuid, sealKey)), answeredAt: now };
    await become(next);
    // In the background, because a phone needs a second. If it fails, a connection is needed to open a sealed store.
    if (password !== undefined)
      void sealWithPassword(next.owner, { userUuid, sealKey }, password)
        .then(keepPasswordSeal)
        .catch(() => {});
  };
  // If this fails, nothing can be stored. The failure is reported when something should be stored.
  opening = act().catch(() => hold(null));
  await opening;
}

/** Opens a sealed store with the password. Returns false if it is another password. @throws NotKept */
export async function openWithoutNetwork(password: string, now: number): Promise<boolean> {
  const seal = await findPasswordSeal();
  const content = seal && (await openWithPassword(seal, password));
  if (!content) return false;
  await become({ ...(await holderOf(content.userUuid, content.sealKey)), answeredAt: now });
  return true;
}

/** Notes that the server answered this person at `now`. */
export async function noteAnswer(now: number): Promise<void> {
  const held = await findHolder();
  if (!held || now - (held.answeredAt ?? 0) < answeredAgainAfterMs) return;
  await write(["holder"], async (transaction) => {
    const present = await transaction.objectStore("holder").get("now");
    if (present?.owner === held.owner)
      await transaction.objectStore("holder").put({ ...present, answeredAt: now }, "now");
  });
  held.answeredAt = now;
}

/**
 * Seals the store if the server has not answered for 14 days: deletes the keys, and nothing else. Returns true if it
 * did so.
 */
export async function sealIfUnanswered(now: number): Promise<boolean> {
  const held = await findHolder().catch(() => null);
  if (!held?.answeredAt || now - held.answeredAt < openWithoutAnswerMs) return false;
  await Promise.race([Promise.allSettled([...flushes].map((flush) => flush())), within(flushMs)]);
  await write(["holder"], (transaction) => transaction.objectStore("holder").delete("now")).catch(() => {});
  dropHolder();
  return true;
}

/**
 * Closes the records: deletes the keys and everything that was fetched. Unsent work stays, encrypted. `note` is stored
 * in the same transaction.
 *
 * @throws NotKept if the device could not do it
 */
export async function closeStore(note?: { name: string; value: unknown }): Promise<void> {
  await Promise.race([Promise.allSettled([...flushes].map((flush) => flush())), within(flushMs)]);
  await write(["holder", "record", "note"], async (transaction) => {
    const seal = (await transaction.objectStore("note").get(passwordSealNote)) as PasswordSeal | undefined;
    const before = (await transaction.objectStore("holder").get("now"))?.owner ?? seal?.owner;
    if (before) for (const kind of readKinds) await transaction.objectStore("record").delete(all(before, kind));
    await transaction.objectStore("holder").delete("now");
    await transaction.objectStore("note").delete(passwordSealNote);
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
 * Stores a value under its name. Resolves when it is on disk. A value with a `group` may be deleted together with it
 * (`makeRoom`).
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
    if (error.reason !== "full" || kind === "receipt" || readKinds.includes(kind)) throw error;
    // If the disk is full, work is more important than fetched answers; answers without a group, which open the
    // application, stay.
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

/** Deletes everybody's records of a kind that were stored before an instant (ISO 8601). @throws NotKept */
export async function forgetBefore(kind: Kind, instant: string): Promise<void> {
  const keys = (await readDatabase((db) => db.getAllKeys("record"))).filter(([, of]) => of === kind);
  const records = await readDatabase((db) => Promise.all(keys.map((key) => db.get("record", key))));
  const old = keys.filter((_, place) => (records[place]?.keptAt ?? instant) < instant);
  if (old.length === 0) return;
  await write(["record"], async (transaction) => {
    await Promise.all(old.map((key) => transaction.objectStore("record").delete(key)));
  });
}

/** How many drafts and unsent visits of the signed-in person this device holds. */
export async function countOwnWork(): Promise<number> {
  const owner = (await findHolder().catch(() => null))?.owner;
  return owner ? readDatabase((db) => db.count("record", all(owner, "work"))).catch(() => 0) : 0;
}

/** Whether this device holds work of a person who is not signed in. */
export async function holdsOthersWork(): Promise<boolean> {
  const owner = (await findHolder())?.owner;
  const keys = await readDatabase((db) => db.getAllKeys("record")).catch(() => []);
  if (keys.some(([of, kind]) => kind === "work" && of !== owner)) return true;
  return isSecure && (await listCopyOwners().catch(() => [])).some((of) => of !== owner);
}

/**
 * Restores the person's work from the copies, once for each new database: the browser may have deleted the one before.
 */
export async function restoreCopies(): Promise<void> {
  const { owner } = await theHolder();
  const seen = `seen ${owner}`;
  if (await readDatabase((db) => db.get("note", seen))) return;
  const copies = await listCopies(owner);
  await write(["record", "note"], async (transaction) => {
    const records = transaction.objectStore("record");
    for (const record of copies)
      if (!(await records.getKey([record.owner, record.kind, record.id]))) await records.put(record);
    await transaction.objectStore("note").put(true, seen);
  });
}
