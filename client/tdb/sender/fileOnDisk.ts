import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Unreadable } from "../upload/failures.ts";
import type { Source } from "../upload/recognise.ts";

/**
 * A file on this machine. It is opened again for each part. A change in between is detected, so that no mixture of two
 * versions is sent.
 */
export async function fileOnDisk(path: string): Promise<{ source: Source; digest: () => Promise<string> }> {
  const unreadable = (error: unknown) => {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  };
  const first = await stat(path).catch(unreadable);
  if (!first.isFile()) throw new Unreadable(`${path} is no file.`);
  const checkSame = async () => {
    const { size, mtimeMs } = await stat(path);
    if (size !== first.size || mtimeMs !== first.mtimeMs)
      throw new Unreadable(`${path} was changed while it was being sent.`);
  };
  const read: Source["read"] = async (start, end) => {
    try {
      await checkSame();
      const file = await open(path, "r");
      try {
        const bytes = new Uint8Array(end - start);
        for (let filled = 0; filled < bytes.length;) {
          const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
          if (bytesRead === 0) throw new Unreadable(`${path} became shorter while it was being sent.`);
          filled += bytesRead;
        }
        return bytes;
      } finally {
        await file.close();
      }
    } catch (error) {
      return unreadable(error);
    }
  };
  /** Its SHA-256 in the form of `Repr-Digest`. It is computed once. */
  let made: Promise<string> | undefined;
  const digest = async () => {
    const hash = createHash("sha256");
    try {
      for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(piece as Buffer);
      await checkSame();
    } catch (error) {
      unreadable(error);
    }
    return `sha-256=:${hash.digest("base64")}:`;
  };
  return { source: { name: basename(path), size: first.size, read }, digest: () => (made ??= digest()) };
}
