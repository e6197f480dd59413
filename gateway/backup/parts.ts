import { createHash } from "node:crypto";
import { pipeline as connect, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import type { z } from "zod";

import { DamagedBackup } from "./damaged.ts";
import {
  fileListName,
  type ListedFile,
  listedFileRules,
  type Manifest,
  manifestName,
  manifestRules,
  type Part,
  type SealedFile,
  sealedFileRules,
  sealedListName,
} from "./manifest.rules.ts";
import type { Place } from "./place.ts";
import type { Bytes, Opener, Seal } from "./seal.ts";

/** The parts of a backup: written and read as streams, and hashed meanwhile. */

/** Counts and hashes the chunks that `pass` passes on. Call `part` after the stream has ended. */
function scale() {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* pass(chunks: Bytes): Bytes {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { pass, part: (): Part => ({ bytes, sha256: hash.digest("hex") }) };
}

/** The name of a part with rows or with a list. Encrypted ones have the ending of age files. */
export const partName = (name: string, isSealed: boolean): string => (isSealed ? `${name}.age` : name);

/** Writes a part under exactly this name. @returns what was stored */
export async function writePart(
  place: Place,
  name: string,
  content: Readable,
  { zip, seal }: { zip: boolean; seal?: Seal | undefined },
): Promise<Part> {
  const { pass, part } = scale();
  const write = (chunks: Bytes) => place.write(name, pass(seal ? seal.encrypt(chunks) : chunks));
  await (zip ? pipeline(content, createGzip({ level: 3 }), write) : pipeline(content, write));
  return part();
}

/** A file in the storage differs from what was received. */
export class NotAsReceived extends Error {
  override name = "NotAsReceived";
}

/**
 * Passes a file on, and fails at its end if size or hash are not as expected, so that the copy is not completed.
 * @throws NotAsReceived
 */
export async function* asReceived(content: Bytes, { size, sha256 }: ListedFile): Bytes {
  const { pass, part } = scale();
  yield* pass(content);
  const came = part();
  if (came.sha256 !== sha256 || came.bytes !== size)
    throw new NotAsReceived(`has ${came.bytes} bytes with SHA-256 ${came.sha256} instead of ${size} with ${sha256}`);
}

/** The content of a part, decrypted if necessary. */
export async function readPart(place: Place, name: string, open?: Opener): Promise<Readable> {
  const stored = await place.read(name);
  return open ? Readable.from(open(stored, name), { objectMode: false }) : stored;
}

/** Reads a content to its end. @returns its size and SHA-256 */
export async function weigh(content: Bytes): Promise<Part> {
  const { pass, part } = scale();
  for await (const _ of pass(content));
  return part();
}

/** The content of a compressed part, decrypted if necessary and decompressed. */
export async function readZipped(place: Place, name: string, open?: Opener): Promise<Readable> {
  const content = createGunzip();
  // A failure becomes an error of the stream, which its reader gets.
  connect(await readPart(place, name, open), content, () => {});
  return content;
}

async function* linesOf<Rules extends z.ZodType>(
  place: Place,
  name: string,
  rules: Rules,
  open?: Opener,
): AsyncGenerator<z.infer<Rules>> {
  let rest = "";
  for await (const text of (await readZipped(place, name, open)).setEncoding("utf8") as AsyncIterable<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const listed = rules.safeParse(JSON.parse(line));
      if (!listed.success) throw new DamagedBackup(`${name} names a file that cannot be: ${line.slice(0, 200)}`);
      yield listed.data;
    }
  }
  if (rest) throw new DamagedBackup(`${name} ends within a line.`);
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Writes the manifest together with its hash. It is the last file, so an interrupted backup has none.
 *
 * @returns the hash
 */
export async function writeManifest(place: Place, manifest: Manifest): Promise<string> {
  const sha256 = hashOf(JSON.stringify(manifest, null, 1));
  await place.finish(manifestName, JSON.stringify({ sha256, manifest }, null, 1));
  return sha256;
}

/** @throws DamagedBackup if there is none, if it was changed, or if another program wrote it */
export async function readManifest(place: Place): Promise<{ manifest: Manifest; sha256: string }> {
  const content = await place.read(manifestName).catch((error: unknown) => {
    throw error instanceof DamagedBackup
      ? new DamagedBackup(`${place.shown} is no complete backup: it has no ${manifestName}.`)
      : error;
  });
  const text = (await content.setEncoding("utf8").toArray()).join("");
  try {
    const { sha256, manifest } = JSON.parse(text) as { sha256?: unknown; manifest?: unknown };
    if (sha256 !== hashOf(JSON.stringify(manifest, null, 1))) throw new Error("it is not what was written");
    return { manifest: manifestRules.parse(manifest), sha256: sha256 as string };
  } catch (error) {
    throw new DamagedBackup(`${manifestName} cannot be used: ${(error as Error).message}`);
  }
}

/** The stored files that the rows of a backup name, one by one. @throws DamagedBackup */
export const listFiles = (place: Place, isSealed: boolean, open?: Opener): AsyncGenerator<ListedFile> =>
  linesOf(place, partName(fileListName, isSealed), listedFileRules, open);

/** The encrypted files of a backup, in the order of their keys. Needs no private key. @throws DamagedBackup */
export const listSealed = (place: Place): AsyncGenerator<SealedFile> => linesOf(place, sealedListName, sealedFileRules);

/** The stored files of a backup, and their names in it. @throws DamagedBackup */
export async function* listContents(
  place: Place,
  manifest: Manifest,
  open?: Opener,
): AsyncGenerator<ListedFile & { name: string }> {
  const missing = new Set(manifest.files.missing);
  const sealed = manifest.sealed && listSealed(place);
  for await (const listed of listFiles(place, sealed !== undefined, open)) {
    if (missing.has(listed.key)) continue;
    if (!sealed) {
      yield { ...listed, name: place.nameOf(listed, false) };
      continue;
    }
    const { value } = await sealed.next();
    if (value?.key !== listed.key)
      throw new DamagedBackup(`${sealedListName} and ${fileListName} list different files.`);
    yield { ...listed, name: value.name };
  }
}

/** The stored files of a backup as they are in it (possibly encrypted). Needs no private key. @throws DamagedBackup */
export const listStored = (place: Place, manifest: Manifest): AsyncGenerator<ListedFile & { name: string }> =>
  manifest.sealed ? listSealed(place) : listContents(place, manifest);

/** Runs the same work for each item, several at a time; the results come in the order of the items. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      if (running.length === width) yield running.shift()!;
      const next = act(item);
      // Its failure is thrown when its turn comes.
      next.catch(() => {});
      running.push(next);
    }
    while (running.length > 0) yield running.shift()!;
  } finally {
    await Promise.allSettled(running);
  }
}

/** Runs the same work for each item, several at a time; the first failure stops it. */
export async function forEach<Item>(
  items: AsyncIterable<Item>,
  width: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  for await (const _ of inOrder(items, width, act));
}
