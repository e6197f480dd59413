import { describe, expect, test } from "vitest";

import type { Revisions } from "../../db/derived/revision.ts";
import { keptAnswers } from "./kept.ts";

/** The revision of the one noun, `facility`, from which the answers here come. */
const at = (revision: number) => ({ facility: revision }) as unknown as Revisions;
const from = (revision: number) => ({ nouns: ["facility"], revisions: at(revision) }) as const;

const answerOf = (body: string) => ({ headers: {}, body });
const room = 1024 * 1024;

describe("kept answers", () => {
  test("are found until a noun from which they come changes", () => {
    const kept = keptAnswers(room);
    kept.keep("a", from(1), answerOf("one"));
    expect(kept.find("a", { ...at(1), tdb: 5 })?.body.toString()).toBe("one");
    expect(kept.find("a", at(2))).toBeUndefined();
    expect(kept.find("b", at(1))).toBeUndefined();
    kept.keep("a", from(2), answerOf("newer"));
    expect(kept.find("a", at(2))?.body.toString()).toBe("newer");
    expect(kept.use().answers, "the newer one takes the place of the older one").toBe(1);
  });

  test("do not include one from a noun that the database does not know yet", () => {
    const kept = keptAnswers(room);
    kept.keep("a", { nouns: ["facility", "tdb"], revisions: at(1) }, answerOf("one"));
    expect(kept.use().answers).toBe(0);
  });

  test("do not evict questions that are asked again for questions asked once", () => {
    const kept = keptAnswers(room);
    kept.keep("daily", from(1), answerOf("figures"));
    kept.find("daily", at(1));
    for (let n = 0; n < 5000; n += 1) kept.keep(`once ${n}`, from(1), answerOf("x".repeat(1000)));
    expect(kept.use().bytes).toBeLessThanOrEqual(room / 8 + 4096);
    expect(kept.find("daily", at(1))?.body.toString()).toBe("figures");
    expect(kept.find("once 4999", at(1))?.body).toHaveLength(1000);
    expect(kept.find("once 0", at(1))).toBeUndefined();
  });

  test.each([
    ["gzip, deflate, br", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0", undefined],
    ["identity", undefined],
    ["", undefined],
  ])("are sent to who accepts '%s' as %s", async (accepted, form) => {
    const kept = keptAnswers(room);
    kept.keep("daily", from(1), answerOf("x".repeat(2000)));
    const answer = kept.find("daily", at(1))!;
    // Also when it was sent in another form before.
    await kept.formOf("daily", answer, "br");
    expect((await kept.formOf("daily", answer, accepted)).form).toBe(form);
  });

  test("stay within the memory limit for any mix of questions, including compressed bodies", async () => {
    const kept = keptAnswers(room);
    for (let n = 0; n < 3000; n += 1) {
      const question = `question ${n % 1000}`;
      const answer = kept.find(question, at(1));
      if (answer) await kept.formOf(question, answer, "gzip, br");
      else kept.keep(question, from(1), answerOf(`${n} `.repeat(500)));
      expect(kept.use().bytes).toBeLessThanOrEqual(room);
    }
    for (let n = 0; n < 1000; n += 1) {
      const question = `again ${n}`;
      kept.keep(question, from(1), answerOf("y".repeat(2000)));
      kept.find(question, at(1));
      expect(kept.use().bytes).toBeLessThanOrEqual(room);
    }
    expect(kept.use().answers).toBeGreaterThan(200);
  });

  test("have a memory buffer of their own for each body", () => {
    const kept = keptAnswers(room);
    kept.keep("a", from(1), answerOf("small"));
    kept.keep("b", from(1), { headers: {}, body: Buffer.from("small too") });
    for (const question of ["a", "b"]) {
      const { body } = kept.find(question, at(1))!;
      expect(body.buffer.byteLength).toBe(body.length);
    }
  });

  test("do not include an answer that is too large", () => {
    const kept = keptAnswers(room);
    kept.keep("large", from(1), answerOf("z".repeat(room / 4)));
    expect(kept.use()).toMatchObject({ answers: 0, bytes: 0 });
  });
});
