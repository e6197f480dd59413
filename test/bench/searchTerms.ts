import { type CompiledQuery, sql } from "kysely";

import type { Database } from "../../db/engine/connect.ts";
import { databaseThrough } from "../../db/engine/through.ts";
import { searchFacilities } from "../../db/facility/facilitySearch.ts";
import { atMost, type Goal } from "./goals.ts";
import { growFacilities, listTerms } from "./manyFacilities.ts";
import { middleOf } from "./middle.ts";
import { openDatabase, type Place } from "./place.ts";
import { figure, table } from "./table.ts";

/**
 * Searches in a country with ten times the facilities: for each text the plan that PostgreSQL chose, compared with the
 * time by the index of trigrams only and with the time without that index.
 */

/** The kinds of scan that PostgreSQL must not use in each way. */
const ways = { chosen: [], byIndex: ["seqscan", "indexscan", "indexonlyscan"], byOrder: ["bitmapscan"] };
type Way = keyof typeof ways;
const orders = { rank: undefined, name: "name" } as const;
const rounds = 5;

type Plan = { "Node Type": string; "Index Name"?: string; "Relation Name"?: string; Plans?: Plan[] };
type Explained = [
  { Plan: Plan & { "Shared Hit Blocks": number; "Shared Read Blocks": number }; "Execution Time": number },
];

/** How a plan finds the facilities of the search. */
function accessOf(plan: Plan): string | undefined {
  if (plan["Index Name"] === "facility_search") return "index of trigrams";
  if (
    plan["Node Type"].endsWith("Scan") &&
    plan["Relation Name"] === "facility" &&
    plan["Index Name"] !== "facility_pkey"
  )
    return plan["Index Name"] === undefined
      ? plan["Node Type"] === "Seq Scan"
        ? "all read"
        : undefined
      : `order of ${plan["Index Name"]}`;
  return undefined;
}
const accessesOf = (plan: Plan): string[] => [
  ...(plan.Plans ?? []).flatMap(accessesOf),
  ...[accessOf(plan)].filter((access) => access !== undefined),
];

/** The statements of a search, as the product sends them. */
async function statementsOf(db: Database, search: string, order: keyof typeof orders): Promise<CompiledQuery[]> {
  const sent: CompiledQuery[] = [];
  const bare = db.withoutPlugins();
  const noting = databaseThrough(<Row>(query: CompiledQuery) => {
    sent.push(query);
    return bare.executeQuery<Row>(query);
  }, db);
  await searchFacilities(noting, { search, sort: orders[order], page: { first: 10, counting: "too" } });
  return sent;
}

type Taken = { ms: number; pages: number; access: string };

/** The time of all statements together, when they are planned in one way. */
async function take(db: Database, statements: readonly CompiledQuery[], way: Way): Promise<Taken> {
  const each = await db.transaction().execute(async (transaction) => {
    for (const name of ways[way]) await sql.raw(`set local enable_${name} = off`).execute(transaction);
    const found: Explained[] = [];
    for (const { sql: text, parameters } of statements) {
      const { rows } = await transaction.executeQuery<{ queryPlan: Explained }>({
        ...statements[0]!,
        sql: `explain (analyze, buffers, timing off, format json) ${text}`,
        parameters,
      });
      found.push(Object.values(rows[0]!)[0]!);
    }
    return found;
  });
  const plans = each.map(([one]) => one);
  return {
    ms: plans.reduce((sum, plan) => sum + plan["Execution Time"], 0),
    pages: plans.reduce((sum, { Plan: plan }) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0),
    access: [...new Set(plans.flatMap(({ Plan: plan }) => accessesOf(plan)))].join(", then "),
  };
}

/** The middle of some rounds. */
async function takeOften(db: Database, statements: readonly CompiledQuery[], way: Way): Promise<Taken> {
  const taken: Taken[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await take(db, statements, way));
  return { ...taken.at(-1)!, ms: middleOf(taken.map(({ ms }) => ms)) };
}

/** A plan that takes less than this needs no improvement. */
const leastMs = 2;
/**
 * How much worse a plan may be than the better one of the two ways: PostgreSQL only estimates how many facilities have
 * a word.
 */
const mostWorse = 2;

/** @param place a copy, which becomes the larger country */
export async function measureTerms(place: Place): Promise<{ goals: Goal[]; text: string }> {
  const db = openDatabase(place);
  try {
    await growFacilities(db);
    const { rows } = await sql<{ facilities: number }>`select count(*) as facilities from facility`.execute(db);
    const lines: (string | number)[][] = [];
    const worst: Record<keyof typeof orders, { ms: number; worse: number; why: string }> = {
      rank: { ms: 0, worse: 0, why: "" },
      name: { ms: 0, worse: 0, why: "" },
    };
    for (const { kind, term } of await listTerms(db))
      for (const order of ["rank", "name"] as const) {
        const statements = await statementsOf(db, term, order);
        const chosen = await takeOften(db, statements, "chosen");
        const [byIndex, byOrder] = [
          await takeOften(db, statements, "byIndex"),
          await takeOften(db, statements, "byOrder"),
        ];
        const worse = chosen.ms < leastMs ? 1 : chosen.ms / Math.min(chosen.ms, byIndex.ms, byOrder.ms);
        const found = await searchFacilities(db, { search: term, page: { first: 1, counting: "only" } });
        const soFar = worst[order];
        soFar.ms = Math.max(soFar.ms, chosen.ms);
        if (worse > soFar.worse)
          worst[order] = {
            ...soFar,
            worse,
            why: `${term}: ${figure(chosen.ms)} ms, by index ${figure(byIndex.ms)}, by order ${figure(byOrder.ms)}`,
          };
        lines.push([
          kind,
          term,
          order,
          await found.count(),
          chosen.access,
          chosen.ms,
          byIndex.ms,
          byOrder.ms,
          chosen.pages,
        ]);
      }
    return {
      goals: (["rank", "name"] as const).map((order) =>
        atMost(
          `search by ${order}: the worst plan of 40 texts against the better way`,
          worst[order].worse,
          mostWorse,
          " x",
          worst[order].why,
        ),
      ),
      text: `40 texts searched among ${rows[0]!.facilities} facilities: ms of all statements in PostgreSQL, the middle of ${rounds} (--questions searchTerms)
${table(["kind", "text", "sorted by", "found", "read by", "ms", "by index", "by order", "pages"], lines)}`,
    };
  } finally {
    await db.destroy();
  }
}
