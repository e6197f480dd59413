import type { DocumentNode } from "graphql";

import { documentLimits } from "./documentLimits.ts";
import { readShape } from "./documentShape.ts";

/**
 * A cache of parsed and valid documents by their texts, because most texts are sent again. It is limited in bytes; the least recently used
 * document is dropped first.
 */
export type DocumentCache = {
  get: (text: string) => DocumentNode | undefined;
  set: (text: string, document: DocumentNode) => void;
  delete: (text: string) => void;
  /** the number of kept documents, and their bytes as estimated by `bytesOfToken` */
  use: () => { documents: number; bytes: number };
};

const mostBytes = 32 * 1024 * 1024;
/** Bytes of a parsed document for each token of its text; measured: 230 to 480. */
const bytesOfToken = 400;

/** @param most the most bytes of all documents, as estimated by `bytesOfToken` */
export function documentCache(most = mostBytes): DocumentCache {
  const kept = new Map<string, { document: DocumentNode; bytes: number }>();
  let sum = 0;
  const remove = (text: string) => {
    sum -= kept.get(text)?.bytes ?? 0;
    kept.delete(text);
  };
  return {
    get(text) {
      const found = kept.get(text);
      if (!found) return undefined;
      kept.delete(text);
      kept.set(text, found);
      return found.document;
    },
    set(text, document) {
      remove(text);
      const bytes = 2 * text.length + bytesOfToken * readShape(text, documentLimits.tokens).tokens;
      kept.set(text, { document, bytes });
      sum += bytes;
      for (const oldest of kept.keys()) {
        if (sum <= most) break;
        remove(oldest);
      }
    },
    delete: remove,
    use: () => ({ documents: kept.size, bytes: sum }),
  };
}
