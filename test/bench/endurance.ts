import type { Load } from "./children.ts";
import { requestOf } from "./compare.ts";
import type { Request } from "./connection.ts";
import type { Place } from "./place.ts";
import { atMost, type Goal } from "./goals.ts";
import { memoryOf } from "./processes.ts";
import { startProduct } from "./product.ts";
import type { Question } from "./questions.ts";
import type { Samples } from "./samples.ts";
import { figure, table } from "./table.ts";

/** All questions at once by 64 connections for some minutes: memory must not grow, and nothing may fail. */

const connections = 64;
/** The number of requests of each question in a round of the mix; the questions take turns. */
const ofEach = 60;
/** In MB. */
const largest = 300;

export async function endure(
  place: Place,
  { samples, questions, load, minutes }: { samples: Samples; questions: Question[]; load: Load; minutes: number },
): Promise<{ goals: Goal[]; text: string }> {
  const product = await startProduct(place);
  const lists = questions.map((question) =>
    question.operations(samples).map((operation) => requestOf(product, question, operation)),
  );
  const requests: Request[] = Array.from({ length: ofEach }, (_, index) =>
    lists.map((list) => list[index % list.length]!),
  ).flat();
  const memory: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    const outcome = await load.run(
      { port: product.port, requests, connections, warmSeconds: 20, seconds: minutes * 60 },
      () => {
        memory.push(memoryOf(product.pid));
        timer = setInterval(() => memory.push(memoryOf(product.pid)), 60_000);
      },
    );
    if (memory.length <= minutes) memory.push(memoryOf(product.pid));
    const half = Math.ceil(memory.length / 2);
    const growth = Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half));
    return {
      goals: [
        atMost(`${minutes} minutes of load: memory of the second half against the first`, growth, 1.1, " x"),
        atMost(`${minutes} minutes of load: memory of the largest process`, Math.max(...memory), largest, " MB"),
        {
          what: `${minutes} minutes of load: errors`,
          measured: String(outcome.errors),
          wanted: "none",
          reached: outcome.errors === 0,
          why: outcome.error ?? "",
        },
      ],
      text: `${minutes} minutes of ${connections} connections, all questions mixed (--load-minutes)
  ${figure(outcome.requests / outcome.seconds)} requests a second, p50 ${figure(outcome.p50)} ms, p99 ${figure(outcome.p99)} ms, ${outcome.errors} errors
${table(
  ["minute", "memory MB"],
  memory.map((each, minute) => [String(minute), each]),
)}`,
    };
  } finally {
    clearInterval(timer);
    await product.stop();
  }
}
