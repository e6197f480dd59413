import { openDB } from "idb";
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";

/** The device's database: its tables, and how it is opened and written. What lies in it is sealed (sealing.ts). */

export type Kind = "work" | "answer" | "text" | "site" | "upload";
/** What was read at the server, and can be read there again. */
export const readKinds: readonly Kind[] = ["answer", "text"];

/** Who is signed in here, with the keys that open what they kept. It is there only while somebody is. */
export type Holder = {
  /** stands for the person in what is kept, and says nothing about them */
  owner: string;
  userUuid: string;
  /** AES-GCM */
  seal: CryptoKey;
  /** HMAC, for names */
  name: CryptoKey;
};

/** What is kept, as it lies there. `sealed` holds name and value. */
export type SealedRecord = {
  format: 1;
  owner: string;
  kind: Kind;
  /** the sealed name of the record */
  id: string;
  /** the sealed name of what it is thrown away together with; missing where it is never thrown away */
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
  /** what is no secret and no person's */
  note: { key: string; value: unknown };
  record: {
    key: [owner: string, kind: Kind, id: string];
    value: SealedRecord;
    indexes: { use: [owner: string, kind: Kind, group: string, usedAt: number, bytes: number] };
  };
};

/** Why something could not be kept. */
export type Reason = "full" | "refused" | "closed" | "insecure";

/** Something could not be kept on this device: it is full, it refuses, nobody is signed in, or the page has no secure connection. */
export class NotKept extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(`Not kept: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Whether this page can keep anything at all. */
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
      // A newer client in another window gets its turn.
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
const notKept = (error: unknown): NotKept => (error instanceof NotKept ? error : new NotKept(isFull(error) ? "full" : "refused", error));

type Writing<Names extends StoreNames<Tables>[]> = IDBPTransaction<Tables, Names, "readwrite">;

/**
 * Writes in one transaction, all or nothing; comes back when the disk has it.
 *
 * @throws NotKept
 */
export async function write<Result, const Names extends StoreNames<Tables>[]>(
  tables: Names,
  act: (transaction: Writing<Names>) => Promise<Result>,
): Promise<Result> {
  try {
    const transaction = (await open()).transaction(tables, "readwrite", { durability: "strict" });
    // Whatever fails undoes it; what it is undone with is told by whoever fails first.
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
        // It has ended by itself.
      }
      throw transaction.error ?? error;
    }
  } catch (error) {
    throw notKept(error);
  }
}

/** Reads. @throws NotKept "refused" */
export async function read<Result>(act: (db: IDBPDatabase<Tables>) => Promise<Result>): Promise<Result> {
  try {
    return await act(await open());
  } catch (error) {
    throw notKept(error);
  }
}
