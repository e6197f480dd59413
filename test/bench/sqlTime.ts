import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { sql } from "kysely";

import { openDatabase, type Place } from "./place.ts";
import { startProduct, type Product } from "./product.ts";
import { chartsOf, levels } from "./dashQuestions.ts";
import type { Samples } from "./samples.ts";
import type { Request } from "./connection.ts";
import { middleOf } from "./middle.ts";

/**
 * SQL time of the dashboards: the time that PostgreSQL itself takes for the statements that the product sends, from its
 * log (`log_min_duration_statement = 0`: parse, bind and execute added up), one request after another.
 */

export type ChartTime = {
  level: string;
  chart: string;
  statements: number;
  /** ms of the figure's own statements */ ms: number;
  /** of all statements, with those for the session and the scope */ allMs: number;
};

/** How often each is sent before it is measured: after some ten times its statements have their final plan. */
const warm = 12;
/** How often each is sent while it is measured: with fewer, the growth says little. */
export const times = 101;

/**
 * The statements in a part of the log: text and milliseconds. Parse and bind count for the connection's next execution.
 */
function readStatements(log: string): { text: string; ms: number }[] {
  const found: { text: string; ms: number }[] = [];
  const before = new Map<string, number>();
  for (const entry of log.split(/\n(?=\S* ?\S* ?\S* ?\[?\d*\]? ?LOG: )/)) {
    const [, pid, ms, step, text] =
      /\[(\d+)\] LOG: {2}duration: ([\d.]+) ms {2}(parse|bind|execute|statement)[^:]*: ([\s\S]*)/.exec(entry) ?? [];
    if (ms === undefined) continue;
    const spent = (before.get(pid!) ?? 0) + Number(ms);
    const isDone = step === "execute" || step === "statement";
    before.set(pid!, isDone ? 0 : spent);
    if (isDone) found.push({ text: text!.trim(), ms: spent });
  }
  return found;
}

/** Statements that check the session, or that the place or partner exists, do not belong to the figure. */
const isBeside = (text: string) =>
  /^select ("district"\.)?"(province|district|implementing_partner)_id"|from "?(session|access_token)\b/.test(text);

type Size = { assessments: number; place: Place; samples: Samples };
type Asking = { product: Product; request: Request; taken: { own: number; all: number; statements: number }[] };

async function send({ product, request }: Asking): Promise<void> {
  const { method, path, headers, body } = product.asClient(request);
  const answer = await fetch(`http://127.0.0.1:${product.port}${path}`, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  if (text.includes('"errors":[{')) throw new Error(text.slice(0, 300));
}

/** Sends the same request to every size in turn, so that other work of the machine affects all of them alike. */
async function ask(each: Asking[], log: FileHandle): Promise<void> {
  for (let round = -warm; round < times; round += 1)
    for (const asking of each) {
      const { size: from } = await log.stat();
      await send(asking);
      // Statements that are logged after an answer must not count for the next one.
      await setTimeout(2);
      if (round < 0) continue;
      const { size: to } = await log.stat();
      const { buffer } = await log.read(Buffer.alloc(to - from), 0, to - from, from);
      const statements = readStatements(`\n${buffer.toString("utf8")}`);
      const sum = (some: typeof statements) => some.reduce((total, { ms }) => total + ms, 0);
      asking.taken.push({
        own: sum(statements.filter(({ text }) => !isBeside(text))),
        all: sum(statements),
        statements: statements.length,
      });
    }
}

const timesOf = ({ taken }: Asking) => ({
  ms: middleOf(taken.map(({ own }) => own)),
  allMs: middleOf(taken.map(({ all }) => all)),
  statements: middleOf(taken.map(({ statements }) => statements)),
});

/** The median SQL time of every chart and table of an overview, at every level and size. */
export async function measureCharts(
  sizes: Size[],
  folder: string,
): Promise<{ assessments: number; times: ChartTime[] }[]> {
  const databases = sizes.map(({ place }) => openDatabase(place));
  const products: Product[] = [];
  const log = await open(join(folder, "postgres.log"));
  try {
    for (const [index, { place }] of sizes.entries()) {
      await sql`alter database ${sql.id(place.database)} set log_min_duration_statement = 0`.execute(databases[index]!);
      // A kept answer sends no statements.
      products.push(await startProduct(place, { keeps: false }));
    }
    const measured = sizes.map(({ assessments }) => ({ assessments, times: [] as ChartTime[] }));
    for (const level of levels) {
      const charts = sizes.map(({ samples }) => chartsOf(level, samples));
      for (const [index, { name: chart }] of charts[0]!.entries()) {
        const each = products.map((product, size): Asking => ({
          product,
          request: charts[size]![index]!.request,
          taken: [],
        }));
        await ask(each, log);
        for (const [size, asking] of each.entries()) measured[size]!.times.push({ level, chart, ...timesOf(asking) });
      }
    }
    return measured;
  } finally {
    await log.close();
    for (const product of products) await product.stop();
    for (const [index, db] of databases.entries()) {
      await sql`alter database ${sql.id(sizes[index]!.place.database)} reset log_min_duration_statement`.execute(db);
      await db.destroy();
    }
  }
}
