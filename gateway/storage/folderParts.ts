import { createWriteStream } from "node:fs";
import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { FileStore } from "@tus/file-store";
import type { Upload } from "@tus/server";

import { makePrivate } from "./folderStorage.ts";
import { type Note, type PartFile, type Parts, staleOf } from "./parts.ts";
import { stageExisting, type Staging } from "./staging.ts";

/** A store of the tus server that syncs parts to the disk before they are acknowledged. */
class DurableStore extends FileStore {
  override async create(upload: Upload): Promise<Upload> {
    try {
      const created = await super.create(upload);
      for (const name of [upload.id, `${upload.id}.json`]) await makePrivate(join(this.directory, name), 0o600);
      return created;
    } catch (error) {
      for (const name of [upload.id, `${upload.id}.json`])
        await rm(join(this.directory, name), { force: true }).catch(() => {});
      throw error;
    }
  }
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const path = join(this.directory, id);
    // Pieces that arrive during a write are written together afterwards.
    const file = createWriteStream(path, { flags: "r+", start: offset, highWaterMark: 512 * 1024 });
    // Not the method of FileStore, which hides the error of the disk.
    await pipeline(content, file);
    const written = await open(path, "r+");
    try {
      await written.datasync();
    } finally {
      await written.close();
    }
    return offset + file.bytesWritten;
  }
}

const suffixes: Record<Note, string> = { info: ".json", outcome: ".outcome" };

async function* filesOf(folder: string): AsyncGenerator<PartFile> {
  for (const name of (await readdir(folder).catch(() => [])).toSorted()) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found) yield { id: name.split(".")[0]!, name, changedAt: found.mtime };
  }
}

/** Parts in a folder: each upload is a growing file with its id as name, and files with its notes. */
export function folderParts({ resumable: folder, checkRoom }: Staging): Parts {
  const at = (id: string, note?: Note) => join(folder, id + (note ? suffixes[note] : ""));
  return {
    dataStore: new DurableStore({ directory: folder }),
    checkRoom,
    async readNote(id, note) {
      try {
        return JSON.parse(await readFile(at(id, note), "utf8")) as unknown;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async writeNote(id, note, value) {
      // Written under another name and renamed, because another gateway may be reading it.
      await writeFile(`${at(id, note)}.new`, JSON.stringify(value), { mode: 0o600 });
      await rename(`${at(id, note)}.new`, at(id, note));
    },
    sizeOf: async (id) => (await stat(at(id)).catch(() => undefined))?.size,
    async stateOf(id) {
      const found = await stat(at(id)).catch(() => undefined);
      return found && { received: found.size, changedAt: found.mtime };
    },
    async *pieces(id, places) {
      const file = await open(at(id), "r");
      try {
        for (const { start, end } of places) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },
    async listIds() {
      const names = await readdir(folder).catch(() => []);
      return names.filter((name) => name.endsWith(suffixes.info)).map((name) => name.slice(0, -suffixes.info.length));
    },
    stage: (id) => stageExisting(at(id)),
    async remove(id) {
      for (const path of [at(id), at(id, "info")]) await rm(path, { force: true });
    },
    async removeStale(olderThanMs) {
      let removed = 0;
      for await (const name of staleOf(filesOf(folder), olderThanMs)) {
        await rm(join(folder, name), { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}
