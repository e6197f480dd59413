import { describe, expect, test } from "vitest";

import type { Viewer } from "../context.ts";
import { keptAnswers } from "./kept.ts";
import { newRecord, type ReadRecord } from "./record.ts";

/** A person with the one right and the one revision (of the noun `facility`) that the answers here depend on. */
const viewer = (revision: number, administrator = false) => ({ revisions: { facility: revision }, privileges: { administrator } }) as unknown as Viewer;

function record(administrator = false): ReadRecord {
  const made = newRecord(() => []);
  made.isWhole = true;
  made.nouns.add("facility");
  made.personal.set("privileges.administrator", administrator);
  return made;
}

const answerOf = (body: string) => ({ headers: {}, body });
const room = 1024 * 1024;

describe("kept answers", () => {
  test("are found for people with the same rights until a noun that was read changes", () => {
    const kept = keptAnswers(room);
    kept.keep("a", viewer(1), record(), answerOf("one"));
    expect(kept.find("a", viewer(1))?.body.toString()).toBe("one");
    expect(kept.find("a", viewer(2))).toBeUndefined();
    expect(kept.find("a", viewer(1, true))).toBeUndefined();
    expect(kept.find("b", viewer(1))).toBeUndefined();
  });

  test("include one answer for each combination of rights", () => {
    const kept = keptAnswers(room);
    kept.keep("a", viewer(1), record(), answerOf("for all"));
    kept.keep("a", viewer(1, true), record(true), answerOf("for administrators"));
    expect(kept.find("a", viewer(1))?.body.toString()).toBe("for all");
    expect(kept.find("a", viewer(1, true))?.body.toString()).toBe("for administrators");
    kept.keep("a", viewer(2), record(), answerOf("newer"));
    expect(kept.use().answers, "what a change outdated is dropped with the next answer").toBe(1);
  });

  test("do not evict questions that are asked again for questions asked once", () => {
    const kept = keptAnswers(room);
    kept.keep("daily", viewer(1), record(), answerOf("figures"));
    kept.find("daily", viewer(1));
    for (let n = 0; n < 5000; n += 1) kept.keep(`once ${n}`, viewer(1), record(), answerOf("x".repeat(1000)));
    expect(kept.use().bytes).toBeLessThanOrEqual(room / 8 + 4096);
    expect(kept.find("daily", viewer(1))?.body.toString()).toBe("figures");
    expect(kept.find("once 4999", viewer(1))?.body).toHaveLength(1000);
    expect(kept.find("once 0", viewer(1))).toBeUndefined();
  });

  test("stay within the memory limit for any mix of questions, including compressed bodies", async () => {
    const kept = keptAnswers(room);
    for (let n = 0; n < 3000; n += 1) {
      const question = `question ${n % 1000}`;
      const answer = kept.find(question, viewer(1));
      if (answer) await kept.formOf(question, answer, "gzip, br");
      else kept.keep(question, viewer(1), record(), answerOf(`${n} `.repeat(500)));
      expect(kept.use().bytes).toBeLessThanOrEqual(room);
    }
    for (let n = 0; n < 1000; n += 1) {
      const question = `again ${n}`;
      kept.keep(question, viewer(1), record(), answerOf("y".repeat(2000)));
      kept.find(question, viewer(1));
      expect(kept.use().bytes).toBeLessThanOrEqual(room);
    }
    expect(kept.use().answers).toBeGreaterThan(200);
  });

  test("have a memory buffer of their own for each body", () => {
    const kept = keptAnswers(room);
    kept.keep("a", viewer(1), record(), answerOf("small"));
    kept.keep("b", viewer(1), record(), { headers: {}, body: Buffer.from("small too") });
    for (const question of ["a", "b"]) {
      const { body } = kept.find(question, viewer(1))!;
      expect(body.buffer.byteLength).toBe(body.length);
    }
  });

  test("do not include anything without memory, an answer that is too large, or one with an incomplete record", () => {
    const none = keptAnswers(0);
    none.keep("a", viewer(1), record(), answerOf("one"));
    expect(none.use().answers).toBe(0);
    const kept = keptAnswers(room);
    kept.keep("large", viewer(1), record(), answerOf("z".repeat(room / 4)));
    kept.keep("in part", viewer(1), { ...record(), isWhole: false }, answerOf("one"));
    expect(kept.use()).toMatchObject({ answers: 0, bytes: 0 });
  });
});
