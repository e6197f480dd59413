import type { SealedRecord } from "./database.ts";

/**
 * A second, equally sealed copy of each record of work, in the browser's cache. A browser deletes a whole database when
 * it finds one of its files damaged, and a full disk can leave a damaged file. Each copy is a file of its own.
 */

/** The service worker (client/public/sw.js) never deletes it. */
const name = "work-copies";
const patienceMs = 2000;

type Place = Pick<SealedRecord, "owner" | "id">;
const pathOf = ({ owner, id }: Place) => `/work-copies/${owner}/${id}`;
const headName = "X-Record";
const ownerIn = ({ url }: Request) => new URL(url).pathname.split("/")[2]!;

/** A copy may fail or take too long without any effect: the record itself is stored. */
const quietly = <Result>(act: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([
    act.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs)),
  ]);

/** Stores a copy of a record. */
export async function copy(record: SealedRecord): Promise<void> {
  const { sealed, iv, ...rest } = record;
  const answer = new Response(sealed, { headers: { [headName]: JSON.stringify({ ...rest, iv: [...iv] }) } });
  await quietly(caches.open(name).then((cache) => cache.put(pathOf(record), answer)));
}

/** Deletes a copy. This happens before its record is deleted, so that finished work never comes back. */
export async function removeCopy(place: Place): Promise<void> {
  await quietly(caches.open(name).then((cache) => cache.delete(pathOf(place))));
}

async function recordOf(answer: Response): Promise<SealedRecord> {
  const { iv, ...rest } = JSON.parse(answer.headers.get(headName)!) as Omit<SealedRecord, "iv" | "sealed"> & {
    iv: number[];
  };
  return { ...rest, iv: Uint8Array.from(iv), sealed: await answer.arrayBuffer() };
}

/** The copies of one person's records. */
export async function listCopies(owner: string): Promise<SealedRecord[]> {
  const cache = await caches.open(name);
  const own = (await cache.keys()).filter((request) => ownerIn(request) === owner);
  const read = own.map(async (request) => recordOf((await cache.match(request))!).catch(() => undefined));
  return (await Promise.all(read)).filter((record) => record !== undefined);
}

/** The owners of the copies. */
export const listCopyOwners = async (): Promise<string[]> => (await (await caches.open(name)).keys()).map(ownerIn);
