import { openDB } from "idb";
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";

/** The device's database (IndexedDB): its tables, opening and writing. Its records are encrypted (sealing.ts). */

/** "receipt": a client older than November 2026 reads and deletes no record of this kind. */
export type Kind = "work" | "receipt" | "answer" | "text" | "site" | "upload";
/** Kinds of records that came from the server and can be fetched again. */
export const readKinds: readonly Kind[] = ["answer", "text"];

/** Who is signed in here, with the keys of their records. It exists only while somebody is signed in. */
export type Holder = {
  /** a pseudonym of the person in stored records */
  owner: string;
  userUuid: string;
  /** AES-GCM */
  seal: CryptoKey;
  /** HMAC, for names */
  name: CryptoKey;
  /** the server's time of its last answer, in milliseconds. An older client did not store it */
  answeredAt?: number;
};

/** A stored record. `sealed` holds its encrypted name and value. */
export type SealedRecord = {
  format: 1;
  owner: string;
  kind: Kind;
  /** keyed hash of the record's name */
  id: string;
  /**
   * keyed hash of its group: records of a group are deleted together. Without a group a record is never deleted to save
   * space
   */
  group?: string;
  /** an instant, ISO 8601 */
  keptAt: string;
  usedAt: number;
  bytes: number;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
};

type Tables = DBSchema & {
  holder: { key: "now"; value: Holder };
  /** values that are neither secret nor personal, and the seal key encrypted with the password (sealing.ts) */
  note: { key: string; value: unknown };
  record: {
    key: [owner: string, kind: Kind, id: string];
    value: SealedRecord;
    indexes: { use: [owner: string, kind: Kind, group: string, usedAt: number, bytes: number] };
  };
};

/** Why a record could not be stored. */
export type Reason = "full" | "refused" | "closed" | "insecure";

/**
 * A record could not be stored on this device: it is full, it refuses, nobody is signed in, or the page has no secure
 * connection.
 */
export class NotKept extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(`Not kept: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Whether this page can store records at all. */
export const isSecure = globalThis.isSecureContext && "indexedDB" in globalThis && "subtle" in crypto;

let database: Promise<IDBPDatabase<Tables>> | undefined;
const forget = () => (database = undefined);

function open(): Promise<IDBPDatabase<Tables>> {
  database ??= openDB<Tables>("kept", 1, {
    upgrade(db) {
      db.createObjectStore("holder");
      db.createObjectStore("note");
      const records = db.createObjectStore("record", { keyPath: ["owner", "kind", "id"] });
      records.createIndex("use", ["owner", "kind", "group", "usedAt", "bytes"]);
    },
    blocking(_from, _to, event) {
      // A newer client in another window wants to upgrade the database.
      (event.target as IDBDatabase).close();
      forget();
    },
    terminated: forget,
  });
  database.catch(forget);
  return database;
}

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === "QuotaExceededError";

/** The failure as a `NotKept`. */
const notKept = (error: unknown): NotKept =>
  error instanceof NotKept ? error : new NotKept(isFull(error) ? "full" : "refused", error);

type Writing<Names extends StoreNames<Tables>[]> = IDBPTransaction<Tables, Names, "readwrite">;

/**
 * Does this. If it fails, does it once more with a new handle: a phone may close an application's handle while the
 * application is in the background (Safari: "Connection to Indexed Database server lost"), without any event.
 *
 * @throws NotKept
 */
async function withHandle<Result>(act: (db: IDBPDatabase<Tables>) => Promise<Result>): Promise<Result> {
  const opened = open();
  try {
    return await act(await opened);
  } catch (error) {
    if (error instanceof NotKept || isFull(error)) throw notKept(error);
  }
  // Another use may have opened it again already.
  if (database === opened) forget();
  opened.then(
    (db) => db.close(),
    () => {},
  );
  try {
    return await act(await open());
  } catch (error) {
    throw notKept(error);
  }
}

/**
 * Writes in one transaction, all or nothing. Resolves when the data is on disk. `act` may run twice, so it has no other
 * effects.
 *
 * @throws NotKept
 */
export const write = <Result, const Names extends StoreNames<Tables>[]>(
  tables: Names,
  act: (transaction: Writing<Names>) => Promise<Result>,
): Promise<Result> =>
  withHandle(async (db) => {
    const transaction = db.transaction(tables, "readwrite", { durability: "strict" });
    // Any failure rolls the transaction back; the first one is reported.
    const done = transaction.done.catch((error: unknown) => ({ error }));
    try {
      const result = await act(transaction);
      const outcome = await done;
      if (outcome) throw transaction.error ?? outcome.error;
      return result;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // The transaction has already ended.
      }
      throw transaction.error ?? error;
    }
  });

/** Reads. `act` may run twice, so it has no other effects. @throws NotKept "refused" */
export const read = withHandle;
