import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";

import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";

import type { Storage } from "./storage.ts";

/** A bucket of S3-compatible object storage. Without keys, the usual places of such keys are asked. */
export type ObjectSettings = {
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
};

/** Files as objects of a bucket, which several gateways can share. */
export function objectStorage({ bucket, region, endpoint, accessKeyId, secretAccessKey }: ObjectSettings): Storage {
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    async keep(stagedPath, key) {
      const { size } = await stat(stagedPath);
      const body = createReadStream(stagedPath, { highWaterMark: 1024 * 1024 });
      // 8 MiB parts: 30 GB are under the 10,000 parts that an object may have, and three at once cost little memory.
      await new Upload({ client, params: { ...at(key), Body: body }, partSize: 8 * 1024 * 1024, queueSize: 3 }).done();
      const stored = await client.send(new HeadObjectCommand(at(key)));
      if (stored.ContentLength !== size) throw new Error(`${key} was stored with ${stored.ContentLength} bytes instead of ${size}`);
    },
    async read(key, range) {
      const { Body } = await client.send(
        new GetObjectCommand({ ...at(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
      );
      return Body as Readable;
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
    async probe() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
    async *list() {
      let token: string | undefined;
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: "files/", ContinuationToken: token }));
        for (const { Key, LastModified } of page.Contents ?? []) if (Key && LastModified) yield { key: Key, storedAt: LastModified };
        token = page.NextContinuationToken;
      } while (token);
    },
  };
}
