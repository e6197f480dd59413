import { Readable } from "node:stream";

import { DataStore, ERRORS, Upload } from "@tus/server";

import type { Bucket } from "./bucket.ts";
import { type Note, type PartFile, type Parts, type Place, staleOf } from "./parts.ts";
import type { Staging } from "./staging.ts";

const folder = "parts/";
/**
 * The size of a part: with it 30 GB have fewer than 8,000 parts, and little memory is needed for parts that wait to be
 * stored.
 */
const partBytes = 4 * 1024 * 1024;
const noteKey = (id: string, note: Note) => `${folder}${id}.${note}`;
const partPrefix = (id: string) => `${folder}${id}/`;
/** The key of a part. The offset has a fixed number of digits, so that keys sort in the order of the parts. */
const partKey = (id: string, offset: number) => partPrefix(id) + String(offset).padStart(14, "0");

type Part = { key: string; size: number; storedAt: Date };

/**
 * The consecutive parts from the first byte up to the first gap. A part that was written again and is shorter leaves a
 * gap. A part that begins inside another one is ignored.
 */
async function* partsOf(bucket: Bucket, id: string): AsyncGenerator<Part> {
  let next = 0;
  for await (const { key, size, storedAt } of bucket.list(partPrefix(id))) {
    const offset = Number(key.slice(partPrefix(id).length));
    if (offset > next) return;
    if (offset < next) continue;
    yield { key, size, storedAt };
    next += size;
  }
}

async function sizeOf(bucket: Bucket, id: string): Promise<number> {
  let sum = 0;
  for await (const { size } of partsOf(bucket, id)) sum += size;
  return sum;
}

async function* bytesOf(bucket: Bucket, id: string): AsyncGenerator<Buffer> {
  for await (const { key } of partsOf(bucket, id)) yield* (await bucket.read(key)) as AsyncIterable<Buffer>;
}

async function* piecesOf(bucket: Bucket, id: string, places: readonly Place[]): AsyncGenerator<Buffer> {
  const parts: Part[] = [];
  for await (const part of partsOf(bucket, id)) parts.push(part);
  for (const { start, end } of places) {
    const pieces: Buffer[] = [];
    let offset = 0;
    for (const { key, size } of parts) {
      const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, size)];
      if (from < to)
        for await (const piece of await bucket.read(key, { start: from, end: to - 1 })) pieces.push(piece as Buffer);
      offset += size;
    }
    yield Buffer.concat(pieces);
  }
}

/** A store of the tus server: every part is an object, which is stored before the part is acknowledged. */
class ObjectStore extends DataStore {
  override extensions = ["creation", "creation-with-upload", "termination"];
  constructor(private readonly bucket: Bucket) {
    super();
  }
  override async create(upload: Upload): Promise<Upload> {
    const { size, metadata } = upload;
    await this.bucket.write(noteKey(upload.id, "info"), JSON.stringify({ size, metadata }));
    return upload;
  }
  override async getUpload(id: string): Promise<Upload> {
    const text = await this.bucket.readText(noteKey(id, "info"));
    if (text === undefined) throw ERRORS.FILE_NOT_FOUND;
    const { size, metadata } = JSON.parse(text) as { size: number; metadata: Upload["metadata"] };
    return new Upload({ id, size, offset: await sizeOf(this.bucket, id), metadata });
  }
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    let end = offset;
    let waiting: Buffer[] = [];
    let bytes = 0;
    const store = async () => {
      if (bytes === 0) return;
      await this.bucket.write(partKey(id, end), Buffer.concat(waiting));
      end += bytes;
      waiting = [];
      bytes = 0;
    };
    for await (const chunk of content as AsyncIterable<Buffer>) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes >= partBytes) await store();
    }
    await store();
    return end;
  }
  override async remove(id: string): Promise<void> {
    // The note is removed last: as long as it exists, an interrupted removal can be repeated.
    for await (const { key } of this.bucket.list(partPrefix(id))) await this.bucket.remove(key);
    await this.bucket.remove(noteKey(id, "info"));
  }
}

async function* filesOf(bucket: Bucket): AsyncGenerator<PartFile> {
  for await (const { key, storedAt } of bucket.list(folder))
    yield { id: key.slice(folder.length).split(/[./]/)[0]!, name: key, changedAt: storedAt };
}

/**
 * Parts as objects of a bucket. The parts of a complete file are joined on the gateway's disk, where the file is hashed
 * and read.
 */
export function objectParts(bucket: Bucket, staging: Staging): Parts {
  const dataStore = new ObjectStore(bucket);
  return {
    dataStore,
    // A bucket does not report its free space.
    checkRoom: async () => {},
    async readNote(id, note) {
      const text = await bucket.readText(noteKey(id, note));
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    writeNote: (id, note, value) => bucket.write(noteKey(id, note), JSON.stringify(value)),
    sizeOf: async (id) => (await sizeOf(bucket, id)) || undefined,
    async stateOf(id) {
      let received = 0;
      let changedAt: Date | undefined;
      for await (const { storedAt } of bucket.list(noteKey(id, "info"))) changedAt = storedAt;
      for await (const part of partsOf(bucket, id)) {
        received += part.size;
        if (changedAt && part.storedAt > changedAt) changedAt = part.storedAt;
      }
      return changedAt && { received, changedAt };
    },
    pieces: (id, places) => piecesOf(bucket, id, places),
    async listIds() {
      const ids: string[] = [];
      for await (const { key } of bucket.list(folder, "/")) {
        const [id, note] = key.slice(folder.length).split(".");
        if (id && note === ("info" satisfies Note)) ids.push(id);
      }
      return ids;
    },
    async stage(id) {
      await staging.checkRoom(await sizeOf(bucket, id));
      return staging.receive(Readable.from(bytesOf(bucket, id), { objectMode: false }), () => {});
    },
    remove: (id) => dataStore.remove(id),
    async removeStale(olderThanMs) {
      let removed = 0;
      for await (const key of staleOf(filesOf(bucket), olderThanMs)) {
        await bucket.remove(key);
        removed += 1;
      }
      return removed;
    },
  };
}
