import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import { syncFolder } from "../storage/folderStorage.ts";
import { fileListName, type ListedFile, listedFileRules, type Manifest, manifestName, manifestRules, type Part } from "./manifest.rules.ts";

/** The files that a backup is made of: written and read as streams, hashed on the way. */

/** The backup cannot be used; the message names the part and what is wrong with it. */
export class DamagedBackup extends Error {
  override name = "DamagedBackup";
}

/** Passes chunks on, counts and hashes them; `part` is complete when the stream has ended. */
function scale() {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* pass(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { pass, part: (): Part => ({ bytes, sha256: hash.digest("hex") }) };
}

/** A new file, for its owner only, that is on the disk for good when it is complete. */
const newFile = (path: string) => createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });

export async function writePart(path: string, content: Readable, { zip }: { zip: boolean }): Promise<Part> {
  const { pass, part } = scale();
  await (zip ? pipeline(content, createGzip({ level: 3 }), pass, newFile(path)) : pipeline(content, pass, newFile(path)));
  return part();
}

export async function weigh(path: string): Promise<Part> {
  const { pass, part } = scale();
  for await (const _ of pass(createReadStream(path, { highWaterMark: 1024 * 1024 })));
  return part();
}

export function readZipped(path: string): Readable {
  const file = createReadStream(path);
  const content = createGunzip();
  file.on("error", (error) => content.destroy(error));
  return file.pipe(content);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const text of readZipped(path).setEncoding("utf8") as AsyncIterable<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest) throw new DamagedBackup(`${fileListName} ends within a line.`);
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Writes the manifest last, with its own hash beside it: a backup that was broken off has none. @returns the hash */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = JSON.stringify(manifest, null, 1);
  const sha256 = hashOf(text);
  const path = join(folder, `${manifestName}.part`);
  await writeFile(path, JSON.stringify({ sha256, manifest }, null, 1), { mode: 0o600, flush: true });
  await rename(path, join(folder, manifestName));
  await syncFolder(folder);
  return sha256;
}

/** @throws DamagedBackup when there is none, it was changed, or another program wrote it */
export async function readManifest(folder: string): Promise<{ manifest: Manifest; sha256: string }> {
  const text = await readFile(join(folder, manifestName), "utf8").catch(() => {
    throw new DamagedBackup(`${folder} is no complete backup: it has no ${manifestName}.`);
  });
  try {
    const { sha256, manifest } = JSON.parse(text) as { sha256?: unknown; manifest?: unknown };
    if (sha256 !== hashOf(JSON.stringify(manifest, null, 1))) throw new Error("it is not what was written");
    return { manifest: manifestRules.parse(manifest), sha256: sha256 as string };
  } catch (error) {
    throw new DamagedBackup(`${manifestName} cannot be used: ${(error as Error).message}`);
  }
}

/** The stored files of a backup, one by one. @throws DamagedBackup */
export async function* listFiles(folder: string): AsyncGenerator<ListedFile> {
  for await (const line of linesOf(join(folder, fileListName))) {
    const listed = listedFileRules.safeParse(JSON.parse(line));
    if (!listed.success) throw new DamagedBackup(`${fileListName} names a file that cannot be: ${line.slice(0, 200)}`);
    yield listed.data;
  }
}

/** Runs the same work for each item, several at a time; the first failure stops it. */
export async function forEach<Item>(items: AsyncIterable<Item>, width: number, act: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.asyncIterator]();
  const failure = new AbortController();
  const work = async () => {
    try {
      for (let next = await rest.next(); !failure.signal.aborted && next.done !== true; next = await rest.next()) await act(next.value);
    } catch (error) {
      failure.abort();
      throw error;
    }
  };
  const results = await Promise.allSettled(Array.from({ length: width }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
