import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";

import { negotiate } from "@fastify/accept-negotiator";
import { LRUCache } from "lru-cache";

import type { RevisedNoun, Revisions } from "../../db/derived/revision.ts";

export type { RevisedNoun, Revisions };

/**
 * A cache of answers, kept as bytes. An answer is sent again if the question is the same and no noun from which it
 * comes has changed since. The question includes the day and the rights of the caller (reading/keepAnswers.ts). The cache
 * is limited in bytes and drops the least recently used answer first. Answers that were asked for once share an eighth
 * of the space, so that they do not push out the others.
 */

export const usualKeptBytes = 128 * 1024 * 1024;

/** A smaller body is not compressed. The gateway's own compression has the same limit. */
const leastCompressedBytes = 1024;
/** The share of the space for answers that were asked for once. */
const onceShare = 1 / 8;
/** Bytes for a kept answer besides its texts, as measured in V8. */
const overheadBytes = 1500;

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};
type Form = keyof typeof compressors;

/** An answer with status 200: its headers, and its body in the forms that were asked for. */
export type KeptAnswer = {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  forms: Partial<Record<Form, Promise<Buffer>>>;
};
type NewAnswer = { headers: KeptAnswer["headers"]; body: string | Buffer };
/** The nouns from which an answer comes, and the revisions that were read before it. */
type From = { nouns: readonly RevisedNoun[]; revisions: Revisions };

/** `bytes`: of all that is kept for the answer. */
type Kept = From & { answer: KeptAnswer; bytes: number };

/**
 * Copies a body into memory of its own. A small buffer from the shared pool of Node.js would keep the whole pool of
 * 8 kB in memory.
 */
function ownBytes(body: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  if (typeof body === "string") own.write(body);
  else body.copy(own);
  return own;
}

export type KeptAnswers = ReturnType<typeof keptAnswers>;

/** @param mostBytes more than 0 */
export function keptAnswers(mostBytes: number) {
  const shelf = (most: number) =>
    new LRUCache<string, Kept>({ maxSize: Math.floor(most), sizeCalculation: ({ bytes }) => bytes });
  const once = shelf(mostBytes * onceShare);
  const again = shelf(mostBytes * (1 - onceShare));
  const shelfOf = (question: string) => (again.has(question) ? again : once);
  let found = 0;

  return {
    /** The answer to a question, if none of its nouns has changed. */
    find(question: string, now: Revisions): KeptAnswer | undefined {
      const shelved = shelfOf(question);
      const kept = shelved.get(question);
      if (!kept?.nouns.every((noun) => kept.revisions[noun] === now[noun])) return undefined;
      found += 1;
      if (shelved === once) {
        once.delete(question);
        again.set(question, kept);
      }
      return kept.answer;
    },
    /** Keeps an answer, unless it is too large. */
    keep(question: string, { nouns, revisions }: From, { headers, body }: NewAnswer): void {
      // This version knows the noun, but the database does not yet.
      if (nouns.some((noun) => revisions[noun] === undefined)) return;
      const bytes = Buffer.byteLength(body) + 2 * question.length + overheadBytes;
      if (bytes > once.maxSize) return;
      const answer = { headers, body: ownBytes(body), forms: {} };
      shelfOf(question).set(question, { answer, nouns, revisions, bytes });
    },
    /** The body in an encoding that the caller accepts. It is compressed once. */
    async formOf(question: string, answer: KeptAnswer, accepted: string) {
      const form = negotiate<Form>(accepted.toLowerCase(), ["br", "gzip"]);
      if (!form || answer.body.length < leastCompressedBytes) return { body: answer.body, form: undefined };
      const known = answer.forms[form];
      if (known) return { body: await known, form };
      const making = compressors[form](answer.body);
      answer.forms[form] = making;
      const body = await making;
      const shelved = shelfOf(question);
      const kept = shelved.peek(question);
      if (kept?.answer === answer) shelved.set(question, { ...kept, bytes: kept.bytes + body.length });
      return { body, form };
    },
    /** Empties the cache, for example because the database may have been replaced by one with other revisions. */
    clear(): void {
      once.clear();
      again.clear();
    },
    use: () => ({ answers: once.size + again.size, bytes: once.calculatedSize + again.calculatedSize, found }),
  };
}
