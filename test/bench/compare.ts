import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Server, startOwn } from "./children.ts";
import { fresh, type Request } from "./connection.ts";
import { type Place, urlOf } from "./place.ts";
import type { Peer } from "./peer.ts";
import { type Figures, measure, type Meter, warmUp } from "./measure.ts";
import type { Product } from "./product.ts";
import { adHocRequest, floorRequest, type Operation, type Question } from "./questions.ts";
import type { Samples } from "./samples.ts";
import { answerOf, difference } from "./same.ts";

/** One question put to the product, to the floor and to PostGraphile, one after another on the same database. */

export type Answerers = {
  product: Product;
  /** the product without kept answers, where it is measured too */ first: Product | undefined;
  floor: Server;
  postgraphile: Peer | undefined;
};
export type Row = {
  connections: number;
  product: Figures;
  first: Figures | null;
  floor: Figures;
  postgraphile: Figures | null;
};
export type Result = {
  question: Question;
  rows: Row[];
  /** where answers differ: then no speed is measured */ differs: string | null;
};

/** Starts the floor with the statements of these questions. */
export async function startFloor(place: Place, questions: Question[]): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "bench-floor-"));
  const file = join(folder, "statements.json");
  await writeFile(file, JSON.stringify(questions.flatMap(({ floor }) => floor)));
  const server = await startOwn("floor", [urlOf(place), file]);
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const requestOf = ({ asClient, asToken }: Product, { asker }: Question, { product }: Operation): Request =>
  asker === "client" ? asClient(product) : asToken(product);
/** A request to PostGraphile, by the person who asks all questions. */
const visitorRequest = ({ asVisitor }: Peer, { postgraphile }: Operation): Request =>
  asVisitor(adHocRequest(postgraphile!.query, postgraphile!.variables));

/** Compares the answers to the first operations of a question. @returns the first difference */
async function compareAnswers(
  question: Question,
  operations: Operation[],
  { product, floor, postgraphile }: Answerers,
): Promise<string | null> {
  for (const operation of operations.slice(0, 20)) {
    const { data: answer } = await answerOf(product.port, fresh(requestOf(product, question, operation)));
    const plain = await answerOf(floor.port, fresh(floorRequest(operation)));
    const found = question.writes ? null : difference(answer, plain, "product and floor");
    if (found) return found;
    if (!postgraphile || !operation.postgraphile || !question.values) continue;
    const { data } = await answerOf(postgraphile.port, visitorRequest(postgraphile, operation));
    const other = difference(
      question.values.product(answer),
      question.values.postgraphile(data),
      "product and PostGraphile",
    );
    if (other) return other;
  }
  return null;
}

export async function ask(
  meter: Meter,
  question: Question,
  { samples, answerers, connections }: { samples: Samples; answerers: Answerers; connections: number[] },
): Promise<Result> {
  const { product, first, floor, postgraphile } = answerers;
  const operations = question.operations(samples);
  const differs = await compareAnswers(question, operations, answerers).catch((error: unknown) => String(error));
  const rows: Row[] = [];
  if (differs !== null) return { question, rows, differs };
  const hasOther = postgraphile !== undefined && operations.every((operation) => operation.postgraphile);
  const requests = {
    product: operations.map((operation) => requestOf(product, question, operation)),
    first: first ? operations.map((operation) => requestOf(first, question, operation)) : [],
    floor: operations.map(floorRequest),
    postgraphile: hasOther ? operations.map((operation) => visitorRequest(postgraphile, operation)) : [],
  };
  await warmUp(meter, product, requests.product);
  if (first) await warmUp(meter, first, requests.first);
  await warmUp(meter, floor, requests.floor);
  if (hasOther) await warmUp(meter, postgraphile, requests.postgraphile);
  for (const count of connections) {
    rows.push({
      connections: count,
      product: await measure(meter, product, { requests: requests.product, connections: count }),
      first: first ? await measure(meter, first, { requests: requests.first, connections: count }) : null,
      floor: await measure(meter, floor, { requests: requests.floor, connections: count }),
      postgraphile: hasOther
        ? await measure(meter, postgraphile, { requests: requests.postgraphile, connections: count })
        : null,
    });
  }
  return { question, rows, differs };
}
