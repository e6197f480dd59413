import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";

import type { RevisedNoun, Revisions } from "../../db/derived/revision.ts";
import type { Viewer } from "../context.ts";
import { personalValue, type ReadRecord } from "./record.ts";

/**
 * Answers that are kept as bytes and sent again while they are exact: the same question on the same day, by somebody for whom everything that
 * the acts looked at is the same, while no noun that they read was changed. Limited in bytes; the least recently used question goes first. Questions
 * that were asked once have an eighth of the room for themselves, so that many that are never asked again drive out nothing else.
 */

export const usualKeptBytes = 128 * 1024 * 1024;

/** What compresses less than this is sent as it is, as by the gateway's compression. */
const leastCompressedBytes = 1024;
/** Different people, by what the acts looked at, for whom one question is kept. */
const mostVariants = 50;
/** The part of the room for questions that were asked once. */
const onceShare = 1 / 8;
/** What a kept answer takes besides its texts, and for each thing that it depends on: at least what V8 was measured to take. */
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
  /** Keeps an answer, if all that it depends on was noted. */
  keep: (question: string, viewer: Viewer, record: ReadRecord, answer: { headers: KeptAnswer["headers"]; body: string | Buffer }) => void;
  /** The body in a form that the caller takes; compressed once for all. */
  formOf: (question: string, answer: KeptAnswer, accepted: string) => Promise<{ body: Buffer; form: Form | undefined }>;
  /** Forgets all: the database may be another one, whose revisions are other ones. */
  clear: () => void;
  use: () => { answers: number; bytes: number; found: number; missed: number };
};

/** A body in memory of its own: a small one out of Node.js' common pool would hold on to all 8 kB of its neighbours. */
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
      // A noun that this version has and the database has not yet.
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
