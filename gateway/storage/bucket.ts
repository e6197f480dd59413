import type { Readable } from "node:stream";

import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";

import { Problem } from "../problem.ts";
import type { ByteRange } from "./storage.ts";

/** A bucket of S3-compatible object storage. Without keys in the settings, the SDK's usual sources are used. */
export type ObjectSettings = {
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
};

/** The few calls that we use of a bucket; every S3-compatible storage has them. Each throws Problem STORAGE_AWAY. */
export type Bucket = {
  write: (key: string, content: Buffer | string) => Promise<void>;
  /** Stores a file of any size and checks that all of it is there. */
  writeLarge: (key: string, content: Readable, size: number) => Promise<void>;
  /** @throws an error with name NoSuchKey */
  read: (key: string, range?: ByteRange) => Promise<Readable>;
  readText: (key: string) => Promise<string | undefined>;
  remove: (key: string) => Promise<void>;
  /** Checks whether the bucket answers. */
  probe: () => Promise<void>;
  /** The objects whose keys begin so, in the order of their keys; with a delimiter only those in whose rest it does not occur. */
  list: (prefix: string, delimiter?: string) => AsyncGenerator<{ key: string; size: number; storedAt: Date }>;
};

const isMissing = (error: unknown): boolean => (error as Error).name === "NoSuchKey";

async function orAway<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (error) {
    if (isMissing(error) || error instanceof Problem) throw error;
    throw new Problem("STORAGE_AWAY", "The storage of files is away. Nothing of this file was kept. Please try again in a moment.", { cause: error });
  }
}

export function openBucket({ bucket, region, endpoint, accessKeyId, secretAccessKey }: ObjectSettings): Bucket {
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const read: Bucket["read"] = async (key, range) => {
    const { Body } = await orAway(client.send(new GetObjectCommand({ ...at(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) })));
    return Body as Readable;
  };
  return {
    read,
    async write(key, content) {
      await orAway(client.send(new PutObjectCommand({ ...at(key), Body: content })));
    },
    async writeLarge(key, content, size) {
      // 8 MiB parts: 30 GB are under the 10,000 parts that an object may have, and three at once cost little memory.
      await orAway(new Upload({ client, params: { ...at(key), Body: content }, partSize: 8 * 1024 * 1024, queueSize: 3 }).done());
      const stored = await orAway(client.send(new HeadObjectCommand(at(key))));
      if (stored.ContentLength !== size) throw new Error(`${key} was stored with ${stored.ContentLength} bytes instead of ${size}`);
    },
    async readText(key) {
      try {
        let text = "";
        for await (const chunk of (await read(key)).setEncoding("utf8")) text += String(chunk);
        return text;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(key) {
      await orAway(client.send(new DeleteObjectCommand(at(key))));
    },
    async probe() {
      await orAway(client.send(new HeadBucketCommand({ Bucket: bucket })));
    },
    async *list(prefix, delimiter) {
      let token: string | undefined;
      do {
        const page = await orAway(client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, Delimiter: delimiter, ContinuationToken: token })));
        for (const { Key, Size = 0, LastModified } of page.Contents ?? []) if (Key && LastModified) yield { key: Key, size: Size, storedAt: LastModified };
        token = page.NextContinuationToken;
      } while (token);
    },
  };
}
