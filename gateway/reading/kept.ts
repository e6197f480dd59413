import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";

import type { RevisedNoun, Revisions } from "../../db/derived/revision.ts";
import type { Viewer } from "../context.ts";
import { personalValue, type ReadRecord } from "./record.ts";

/**
 * A cache of answers, kept as bytes. An answer is sent again if the question and the day are the same, if the caller is the same in every property that the
 * acts used, and if no noun that they read has changed. The cache is limited in bytes and drops the least recently used question first. Questions that were
 * asked only once share an eighth of the space, so that they do not push out the others.
 */

export const usualKeptBytes = 128 * 1024 * 1024;

/** A smaller body is not compressed. The gateway's own compression has the same limit. */
const leastCompressedBytes = 1024;
/** For how many different kinds of callers one question is kept. Callers differ by the properties that the acts used. */
const mostVariants = 50;
/** The share of the space for questions that were asked once. */
const onceShare = 1 / 8;
/** Bytes for a kept answer besides its texts, and for each property that it depends on, as measured in V8. */
const overheadBytes = 1000;
const dependencyBytes = 100;

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};
type Form = keyof typeof compressors;

/** An answer with status 200: its headers, and its body in the forms that were asked for. */
export type KeptAnswer = { headers: Readonly<Record<string, string>>; body: Buffer; forms: Partial<Record<Form, Promise<Buffer>>> };

type Variant = { revisions: [RevisedNoun, number][]; personal: [string, unknown][]; answer: KeptAnswer; bytes: number };

export type KeptAnswers = {
  /** The answer to a question, if it is exact for this caller now. */
  find: (question: string, viewer: Viewer) => KeptAnswer | undefined;
  /** Keeps an answer, if everything that it depends on was recorded. */
  keep: (question: string, viewer: Viewer, record: ReadRecord, answer: { headers: KeptAnswer["headers"]; body: string | Buffer }) => void;
  /** The body in an encoding that the caller accepts. It is compressed once. */
  formOf: (question: string, answer: KeptAnswer, accepted: string) => Promise<{ body: Buffer; form: Form | undefined }>;
  /** Empties the cache, for example because the database may have been replaced by one with other revisions. */
  clear: () => void;
  use: () => { answers: number; bytes: number; found: number; missed: number };
};

/** Copies a body into memory of its own. A small buffer from the shared pool of Node.js would keep the whole pool of 8 kB in memory. */
function ownBytes(body: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  if (typeof body === "string") own.write(body);
  else body.copy(own);
  return own;
}

/** Questions in the order of their last use, and the bytes of their answers. */
function shelf() {
  const questions = new Map<string, Variant[]>();
  let bytes = 0;
  const sum = (variants: readonly Variant[] | undefined) => (variants ?? []).reduce((all, variant) => all + variant.bytes, 0);
  return {
    get: (question: string) => questions.get(question),
    /** Puts a question last, with these variants; without any it is gone. */
    put(question: string, variants: Variant[]): void {
      bytes += sum(variants) - sum(questions.get(question));
      questions.delete(question);
      if (variants.length > 0) questions.set(question, variants);
    },
    makeRoom(most: number): void {
      for (const question of questions.keys()) {
        if (bytes <= most) return;
        this.put(question, []);
      }
    },
    answers: () => [...questions.values()].reduce((all, { length }) => all + length, 0),
    bytes: () => bytes,
  };
}

/** @param mostBytes at 0 nothing is kept */
export function keptAnswers(mostBytes: number): KeptAnswers {
  let [once, again] = [shelf(), shelf()];
  let [found, missed] = [0, 0];
  const mostOnce = mostBytes * onceShare;

  const shelfOf = (question: string) => (again.get(question) ? again : once);
  const isCurrent = ({ revisions }: Variant, now: Revisions) => revisions.every(([noun, value]) => now[noun] === value);
  const isFor = ({ personal }: Variant, viewer: Viewer) => personal.every(([path, value]) => personalValue(viewer, path) === value);
  const makeRoom = () => {
    once.makeRoom(mostOnce);
    again.makeRoom(mostBytes - mostOnce);
  };

  return {
    find(question, viewer) {
      const shelved = shelfOf(question);
      const variants = viewer.revisions && shelved.get(question);
      const answer = variants?.find((variant) => isCurrent(variant, viewer.revisions!) && isFor(variant, viewer))?.answer;
      if (!variants || !answer) {
        missed += 1;
        return undefined;
      }
      found += 1;
      if (shelved === once) once.put(question, []);
      again.put(question, variants);
      makeRoom();
      return answer;
    },
    keep(question, viewer, record, { headers, body }) {
      const { revisions } = viewer;
      const bytes = Buffer.byteLength(body) + 2 * question.length + overheadBytes + dependencyBytes * (record.nouns.size + record.personal.size);
      if (!record.isWhole || !revisions || bytes > mostOnce) return;
      // This version knows the noun, but the database does not yet.
      if ([...record.nouns].some((noun) => revisions[noun] === undefined)) return;
      const variant: Variant = {
        revisions: [...record.nouns].map((noun) => [noun, revisions[noun]]),
        personal: [...record.personal],
        answer: { headers, body: ownBytes(body), forms: {} },
        bytes,
      };
      const shelved = shelfOf(question);
      const isKept = (other: Variant) => isCurrent(other, revisions) && !isFor(other, viewer);
      shelved.put(question, [...(shelved.get(question) ?? []).filter(isKept).slice(-(mostVariants - 1)), variant]);
      makeRoom();
    },
    async formOf(question, answer, accepted) {
      const form = answer.body.length < leastCompressedBytes ? undefined : (["br", "gzip"] as const).find((each) => accepted.includes(each));
      if (!form) return { body: answer.body, form };
      const known = answer.forms[form];
      if (known) return { body: await known, form };
      const making = compressors[form](answer.body);
      answer.forms[form] = making;
      const body = await making;
      const shelved = shelfOf(question);
      const variants = shelved.get(question) ?? [];
      shelved.put(question, variants.map((each) => (each.answer === answer ? { ...each, bytes: each.bytes + body.length } : each)));
      makeRoom();
      return { body, form };
    },
    clear() {
      [once, again] = [shelf(), shelf()];
    },
    use: () => ({ answers: once.answers() + again.answers(), bytes: once.bytes() + again.bytes(), found, missed }),
  };
}
