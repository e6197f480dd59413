import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";

import type { RevisedNoun, Revisions } from "../../db/derived/revision.ts";
import type { Viewer } from "../context.ts";
import { personalValue, type ReadRecord } from "./record.ts";

/**
 * Answers that are kept as bytes and sent again while they are exact: the same question on the same day, by somebody for whom everything that
 * the acts looked at is the same, while no noun that they read was changed. Limited in bytes; the least recently used question goes first.
 */

export const usualKeptBytes = 128 * 1024 * 1024;

/** What compresses less than this is sent as it is, as by the gateway's compression. */
const leastCompressedBytes = 1024;
/** Different people, by what the acts looked at, for whom one question is kept. */
const mostVariants = 50;
/** What a kept answer takes besides its text. */
const overheadBytes = 600;

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
  keep: (question: string, viewer: Viewer, record: ReadRecord, answer: Pick<KeptAnswer, "headers" | "body">) => void;
  /** The body in a form that the caller takes; compressed once for all. */
  formOf: (question: string, answer: KeptAnswer, accepted: string) => Promise<{ body: Buffer; form: Form | undefined }>;
  /** Forgets all: the database may be another one, whose revisions are other ones. */
  clear: () => void;
  use: () => { answers: number; bytes: number; found: number; missed: number };
};

/** @param mostBytes at 0 nothing is kept */
export function keptAnswers(mostBytes: number): KeptAnswers {
  const kept = new Map<string, Variant[]>();
  let bytes = 0;
  let [found, missed] = [0, 0];

  const put = (question: string, variants: Variant[]) => {
    kept.delete(question);
    if (variants.length > 0) kept.set(question, variants);
  };
  const isCurrent = ({ revisions }: Variant, now: Revisions) => revisions.every(([noun, value]) => now[noun] === value);
  const isFor = ({ personal }: Variant, viewer: Viewer) => personal.every(([path, value]) => personalValue(viewer, path) === value);
  const drop = (variants: readonly Variant[]) => {
    for (const variant of variants) bytes -= variant.bytes;
  };
  const makeRoom = () => {
    for (const [oldest, variants] of kept) {
      if (bytes <= mostBytes) return;
      kept.delete(oldest);
      drop(variants);
    }
  };

  return {
    find(question, viewer) {
      const variants = viewer.revisions && kept.get(question);
      const answer = variants?.find((variant) => isCurrent(variant, viewer.revisions!) && isFor(variant, viewer))?.answer;
      if (!variants || !answer) {
        missed += 1;
        return undefined;
      }
      found += 1;
      put(question, variants);
      return answer;
    },
    keep(question, viewer, record, { headers, body }) {
      const { revisions } = viewer;
      const size = body.length + 2 * question.length + overheadBytes;
      if (!record.isWhole || !revisions || size > mostBytes / 8) return;
      // A noun that this version has and the database has not yet.
      if ([...record.nouns].some((noun) => revisions[noun] === undefined)) return;
      const variant: Variant = {
        revisions: [...record.nouns].map((noun) => [noun, revisions[noun]]),
        personal: [...record.personal],
        answer: { headers, body, forms: {} },
        bytes: size,
      };
      const others = kept.get(question) ?? [];
      const isKept = (other: Variant) => isCurrent(other, revisions) && !isFor(other, viewer);
      const remaining = others.filter(isKept).slice(-(mostVariants - 1));
      drop(others.filter((other) => !remaining.includes(other)));
      bytes += size;
      put(question, [...remaining, variant]);
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
      const variant = kept.get(question)?.find((each) => each.answer === answer);
      if (variant) {
        variant.bytes += body.length;
        bytes += body.length;
        makeRoom();
      }
      return { body, form };
    },
    clear() {
      kept.clear();
      bytes = 0;
    },
    use: () => ({ answers: [...kept.values()].reduce((sum, { length }) => sum + length, 0), bytes, found, missed }),
  };
}
