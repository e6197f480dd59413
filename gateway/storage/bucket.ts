import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";

import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
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
  /** further headers of each request, for example of its trace */
  headers?: () => Record<string, string>;
};

/**
 * The calls of a bucket that the product uses; every S3-compatible storage has them. Each may throw Problem
 * STORAGE_AWAY.
 */
export type Bucket = {
  write: (key: string, content: Buffer | string) => Promise<void>;
  /** Stores a file of a known size, and checks that all of it was stored. */
  writeLarge: (key: string, content: Readable, size: number) => Promise<void>;
  /** Stores a stream of any size, and checks that all of it was stored. */
  writeStream: (key: string, content: Readable) => Promise<void>;
  /** The size of an object in bytes; undefined if there is none. */
  find: (key: string) => Promise<number | undefined>;
  /** @throws an error with name NoSuchKey */
  read: (key: string, range?: ByteRange) => Promise<Readable>;
  readText: (key: string) => Promise<string | undefined>;
  remove: (key: string) => Promise<void>;
  /** Checks whether the bucket answers. */
  probe: () => Promise<void>;
  /**
   * Writes, reads and removes an object with this prefix.
   *
   * @throws also if the content that is read is not what was written
   */
  tryOut: (prefix: string) => Promise<void>;
  /**
   * The objects with this prefix, in the order of their keys; with a delimiter only those whose key does not contain it
   * after the prefix.
   */
  list: (prefix: string, delimiter?: string) => AsyncGenerator<{ key: string; size: number; storedAt: Date }>;
  /** The names between this prefix of keys and the next slash. */
  folders: (prefix: string) => Promise<string[]>;
};

/** Adds headers to a request. It changes the object itself, because the SDK needs an instance of its class. */
const withHeaders = <Sent>(request: Sent, more: Record<string, string>): Sent => {
  Object.assign((request as { headers: Record<string, string> }).headers, more);
  return request;
};

const isMissing = (error: unknown): boolean => (error as Error).name === "NoSuchKey";

async function orAway<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (error) {
    if (isMissing(error) || error instanceof Problem) throw error;
    throw new Problem(
      "STORAGE_AWAY",
      "The storage of files is away. Nothing of this file was kept. Please try again in a moment.",
      { cause: error },
    );
  }
}

/** Opens a bucket. No call is made yet. */
export function openBucket({
  bucket,
  region,
  endpoint,
  accessKeyId,
  secretAccessKey,
  headers,
}: ObjectSettings): Bucket {
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  // At the step "build", so that the headers are signed too.
  if (headers)
    client.middlewareStack.add((next) => (args) => next({ ...args, request: withHeaders(args.request, headers()) }), {
      step: "build",
    });
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const read: Bucket["read"] = async (key, range) => {
    const { Body } = await orAway(
      client.send(
        new GetObjectCommand({ ...at(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
      ),
    );
    return Body as Readable;
  };
  const find: Bucket["find"] = async (key) => {
    try {
      return (await client.send(new HeadObjectCommand(at(key)))).ContentLength;
    } catch (error) {
      // NotFound: an answer to HEAD has no body, which would say NoSuchKey.
      if ((error as Error).name === "NotFound") return undefined;
      return orAway(Promise.reject(error as Error));
    }
  };
  // 8 MiB parts: 30 GB are under the 10,000 parts that an object may have, and three at once cost little memory.
  const upload = (key: string, content: Readable) =>
    orAway(
      new Upload({ client, params: { ...at(key), Body: content }, partSize: 8 * 1024 * 1024, queueSize: 3 }).done(),
    );
  const checkSize = async (key: string, size: number) => {
    const stored = await find(key);
    if (stored !== size) throw new Error(`${key} was stored with ${stored} bytes instead of ${size}`);
  };
  const write: Bucket["write"] = async (key, content) => {
    await orAway(client.send(new PutObjectCommand({ ...at(key), Body: content })));
  };
  const readText: Bucket["readText"] = async (key) => {
    try {
      let text = "";
      for await (const chunk of (await read(key)).setEncoding("utf8")) text += String(chunk);
      return text;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  const remove: Bucket["remove"] = async (key) => {
    await orAway(client.send(new DeleteObjectCommand(at(key))));
  };
  return {
    read,
    find,
    write,
    readText,
    remove,
    async writeLarge(key, content, size) {
      await upload(key, content);
      await checkSize(key, size);
    },
    async writeStream(key, content) {
      let size = 0;
      let failure: { error: unknown } | undefined;
      const counted = async function* () {
        try {
          for await (const chunk of content as AsyncIterable<Buffer>) {
            size += chunk.length;
            yield chunk;
          }
        } catch (error) {
          failure = { error };
          throw error;
        }
      };
      try {
        await upload(key, Readable.from(counted(), { objectMode: false }));
      } catch (error) {
        // A failure of the stream that is stored is thrown as it is, not as a failure of the storage.
        throw failure ? failure.error : error;
      }
      await checkSize(key, size);
    },
    async probe() {
      await orAway(client.send(new HeadBucketCommand({ Bucket: bucket })));
    },
    async tryOut(prefix) {
      const key = `${prefix}probe-${randomUUID()}`;
      await write(key, "probe");
      if ((await readText(key)) !== "probe")
        throw new Error(`The bucket ${bucket} does not give back what was written.`);
      await remove(key);
    },
    async *list(prefix, delimiter) {
      let token: string | undefined;
      do {
        const page = await orAway(
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: prefix,
              Delimiter: delimiter,
              ContinuationToken: token,
            }),
          ),
        );
        for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
          if (Key && LastModified) yield { key: Key, size: Size, storedAt: LastModified };
        token = page.NextContinuationToken;
      } while (token);
    },
    async folders(prefix) {
      const found: string[] = [];
      let token: string | undefined;
      do {
        const page = await orAway(
          client.send(
            new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, Delimiter: "/", ContinuationToken: token }),
          ),
        );
        for (const { Prefix = "" } of page.CommonPrefixes ?? []) found.push(Prefix.slice(prefix.length, -1));
        token = page.NextContinuationToken;
      } while (token);
      return found;
    },
  };
}
