import type { DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";

/**
 * A cache of parsed and valid documents by their texts, because most texts are sent again. It is limited in bytes; the
 * least recently used document is dropped first.
 */
export type DocumentCache = LRUCache<string, DocumentNode>;

const mostBytes = 32 * 1024 * 1024;
/** Bytes of a parsed document for each token of its text; measured: 230 to 480. */
const bytesOfToken = 400;

export const documentCache = (): DocumentCache =>
  new LRUCache({
    maxSize: mostBytes,
    sizeCalculation: ({ tokenCount = 0 }, text) => 2 * text.length + bytesOfToken * tokenCount,
  });
