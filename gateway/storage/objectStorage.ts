import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

import type { Bucket } from "./bucket.ts";
import type { Storage } from "./storage.ts";

/** Storage in a bucket, which several gateways can share. */
export function objectStorage(bucket: Bucket): Storage {
  return {
    async keep(stagedPath, key) {
      const { size } = await stat(stagedPath);
      await bucket.writeLarge(key, createReadStream(stagedPath, { highWaterMark: 1024 * 1024 }), size);
    },
    probe: bucket.probe,
    tryOut: () => bucket.tryOut("files/"),
    read: bucket.read,
    remove: bucket.remove,
    list: () => bucket.list("files/"),
  };
}
