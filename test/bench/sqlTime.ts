import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { sql } from "kysely";

import { openDatabase, type Place } from "./place.ts";
import { startProduct, type Product } from "./product.ts";
import { chartsOf, levels } from "./dashQuestions.ts";
import type { Samples } from "./samples.ts";
import type { Request } from "./connection.ts";

/**
 * SQL time of the dashboards: what PostgreSQL itself takes for the statements that the product sends, by its own log
 * (`log_min_duration_statement = 0`: parse, bind and execute added up), one request after another.
 */

export type ChartTime = { level: string; chart: string; statements: number; /** ms of the figure's own statements */ ms: number; /** of all, sign-in check and scope included */ allMs: number };

const times = 15;

/** Statements of a stretch of the log: text and milliseconds, parse and bind counted with the execution that follows. */
function readStatements(log: string): { text: string; ms: number }[] {
  const found: { text: string; ms: number }[] = [];
  let before = 0;
  for (const entry of log.split(/\n(?=\S* ?\S* ?\S* ?\[?\d*\]? ?LOG: )/)) {
    const [, ms, step, text] = /LOG: {2}duration: ([\d.]+) ms {2}(parse|bind|execute|statement)[^:]*: ([\s\S]*)/.exec(entry) ?? [];
    if (ms === undefined) continue;
    before += Number(ms);
    if (step !== "execute" && step !== "statement") continue;
    found.push({ text: text!.trim(), ms: before });
    before = 0;
  }
  return found;
}

const middle = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
/** Who asks, and whether the place or partner is there: no part of the figure. */
const isBeside = (text: string) => /^select ("district"\.)?"(province|district|implementing_partner)_id"|from "?(session|access_token)\b/.test(text);

async function timesOf(product: Product, log: string, request: Request): Promise<Omit<ChartTime, "level" | "chart">> {
  const { method, path, headers, body } = product.asClient(request);
  const send = async () => {
    const answer = await fetch(`http://127.0.0.1:${product.port}${path}`, { method, headers: { ...headers, "content-type": "application/json" }, body });
    const text = await answer.text();
    if (text.includes('"errors":[{')) throw new Error(text.slice(0, 300));
  };
  const file = await open(log);
  try {
    for (let warm = 0; warm < 8; warm += 1) await send();
    const each: { own: number; all: number; statements: number }[] = [];
    for (let index = 0; index < times; index += 1) {
      await setTimeout(5);
      const { size: from } = await file.stat();
      await send();
      await setTimeout(5);
      const { size: to } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
      const statements = readStatements(`\n${buffer.toString("utf8")}`);
      const sum = (some: typeof statements) => some.reduce((total, { ms }) => total + ms, 0);
      each.push({ own: sum(statements.filter(({ text }) => !isBeside(text))), all: sum(statements), statements: statements.length });
    }
    return { ms: middle(each.map(({ own }) => own)), allMs: middle(each.map(({ all }) => all)), statements: middle(each.map(({ statements }) => statements)) };
  } finally {
    await file.close();
  }
}

/** The median SQL time of every chart and table of an overview, at every level. */
export async function measureCharts(place: Place, folder: string, samples: Samples): Promise<ChartTime[]> {
  const db = openDatabase(place);
  const name = sql.id(place.database);
  await sql`alter database ${name} set log_min_duration_statement = 0`.execute(db);
  const product = await startProduct(place);
  try {
    const rows: ChartTime[] = [];
    for (const level of levels)
      for (const { name: chart, request } of chartsOf(level, samples))
        rows.push({ level, chart, ...(await timesOf(product, join(folder, "postgres.log"), request)) });
    return rows;
  } finally {
    await product.stop();
    await sql`alter database ${name} reset log_min_duration_statement`.execute(db);
    await db.destroy();
  }
}
