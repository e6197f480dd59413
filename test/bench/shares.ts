import type { Load } from "./children.ts";
import { requestOf } from "./compare.ts";
import { atMost, type Goal } from "./goals.ts";
import type { Place } from "./place.ts";
import { startProduct } from "./product.ts";
import type { Question } from "./questions.ts";
import type { Samples } from "./samples.ts";
import { figure } from "./table.ts";

/** One person sends as many heavy questions as allowed: how long do others wait? */

const light = { connections: 4, pauseMs: 20, warmSeconds: 2 };
/** Heavy questions that the one person keeps under way. */
const greed = 6;
/** Days of visits to group. The longest span that is allowed is used. */
const spans = [3650, 1800, 1000, 600, 365, 240, 180, 120, 90, 60, 30, 10];

/** The groups that are requested in turn: one reads much, the other one also returns much. */
const keys = ["MODE, LIBRARY_VERSION", "DISTRICT, MODE, LIBRARY_VERSION"];
const heavyQuery = (by: string, days: number): string => {
  const start = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  return `{ assessmentGroups(by: [${by}], start: "${start}") { assessments facilities efirst functionalityStatusMode libraryVersion } }`;
};
type Heavy = { query: string; days: number; cost: number; groups: number };

export async function measureShares(
  place: Place,
  { samples, question, load, seconds }: { samples: Samples; question: Question; load: Load; seconds: number },
): Promise<{ goals: Goal[]; text: string }> {
  const product = await startProduct(place);
  const requests = question.operations(samples).map((operation) => requestOf(product, question, operation));
  const { headers } = product.asToken({
    method: "POST",
    path: "/graphql",
    headers: { "content-type": "application/json" },
  });
  const ask = (query: string) =>
    fetch(`http://127.0.0.1:${product.port}/graphql`, {
      method: "POST",
      headers: headers ?? {},
      body: JSON.stringify({ query }),
    });
  const statuses = new Map<number, number>();
  const phase = { isOver: false };
  try {
    const quiet = await load.run({ port: product.port, requests, ...light, seconds });
    const heavyQuestions: Heavy[] = [];
    for (const by of keys) {
      for (const days of spans) {
        const query = heavyQuery(by, days);
        const { data, extensions } = (await (await ask(query)).json()) as {
          data?: { assessmentGroups: object[] };
          extensions?: { cost: { cost: number } };
        };
        if (!data) continue;
        heavyQuestions.push({ query, days, cost: extensions!.cost.cost, groups: data.assessmentGroups.length });
        break;
      }
    }
    const greedy = Array.from({ length: greed }, async (_, first) => {
      for (let n = first; !phase.isOver; n += 1) {
        const answer = await ask(heavyQuestions[n % heavyQuestions.length]!.query);
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    });
    const busy = await load.run({ port: product.port, requests, ...light, seconds });
    phase.isOver = true;
    await Promise.all(greedy);
    const faults = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0);
    return {
      goals: [
        atMost(
          "shares: p99 of others' light requests against the quiet one",
          busy.p99 / quiet.p99,
          2,
          " x",
          `${figure(quiet.p99)} ms before, ${figure(busy.p99)} ms beside`,
        ),
        {
          what: "shares: failed light requests, and 5xx for the greedy",
          measured: `${busy.errors}, ${faults}`,
          wanted: "none",
          reached: busy.errors + faults === 0,
          why: busy.error ?? "",
        },
      ],
      text: `One person keeps ${greed} questions under way (${heavyQuestions.map(({ days, cost, groups }) => `${groups} groups of the visits of ${days} days, which cost ${cost}`).join("; ")}): ${[...statuses].map(([status, times]) => `${times} answers of ${status}`).join(", ")}
  others' light requests (${question.name}, ${light.connections} connections): p50 ${figure(quiet.p50)}, p95 ${figure(quiet.p95)} and p99 ${figure(quiet.p99)} ms before, ${figure(busy.p50)}, ${figure(busy.p95)} and ${figure(busy.p99)} ms meanwhile`,
    };
  } finally {
    phase.isOver = true;
    await product.stop();
  }
}
