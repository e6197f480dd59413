import type { Result } from "./compare.ts";
import type { Figures } from "./measure.ts";
import { figure, table } from "./table.ts";

/** A goal, and whether it was reached. */
export type Goal = {
  what: string;
  measured: string;
  wanted: string;
  /** null: could not be measured here */
  reached: boolean | null;
  why?: string;
};

const atLeast = (what: string, value: number, least: number, unit = "", why?: string): Goal => ({
  what,
  measured: `${figure(value)}${unit}`,
  wanted: `${least}${unit} or more`,
  reached: Number.isFinite(value) ? value >= least : null,
  why,
});
export const atMost = (what: string, value: number, most: number, unit = "", why?: string): Goal => ({
  what,
  measured: `${figure(value)}${unit}`,
  wanted: `${most}${unit} or less`,
  reached: Number.isFinite(value) ? value <= most : null,
  why,
});
const notMeasured = (what: string, wanted: string, why: string): Goal => ({
  what,
  measured: "–",
  wanted,
  reached: null,
  why,
});

const cpu = (figures: Figures) => `${figure(figures.cpu)} + ${figure(figures.cpuOfPostgres)}`;

/**
 * The product's requests a second divided by another's, the middle of all loads, with the CPU time of both as the
 * reason.
 */
function ratioOf(
  { rows }: Result,
  which: "product" | "first",
  other: "floor" | "postgraphile",
): { ratio: number; why: string } | undefined {
  const ratios = rows
    .flatMap(({ connections, [which]: product, floor, [other]: against }) => {
      if (!against || !product) return [];
      const itself =
        other === "floor" ? "" : `, where the floor itself reaches ${figure(floor.perSecond / against.perSecond)} x`;
      const why = `at ${connections} connections${itself}; CPU ms a request with PostgreSQL's: ${cpu(product)} against ${cpu(against)}`;
      return [{ ratio: product.perSecond / against.perSecond, why }];
    })
    .toSorted((one, another) => one.ratio - another.ratio);
  return ratios[Math.floor((ratios.length - 1) / 2)];
}

/** The largest p99 of repeated reads that is allowed, in milliseconds, at the largest number of connections. */
const mostP99 = 25;

/** The goals of the questions. A ratio is the middle one of those at each number of connections. */
export function goalsOf(results: Result[], postgraphile: string): Goal[] {
  return results.flatMap((result): Goal[] => {
    const { question, differs, rows } = result;
    const { name } = question;
    if (differs)
      return [{ what: name, measured: "answers differ", wanted: "the same answers", reached: false, why: differs }];
    const errors = rows.find(({ product }) => product.errors > 0)?.product;
    const goals: Goal[] = errors
      ? [
          {
            what: `${name}: errors`,
            measured: String(errors.errors),
            wanted: "none",
            reached: false,
            why: errors.error ?? "",
          },
        ]
      : [];
    const reads = question.writes
      ? ([["product", "first", ""]] as const)
      : ([
          ["first", "first", ", first read"],
          ["product", "repeated", ", repeated"],
        ] as const);
    for (const [which, wanted, words] of reads) {
      const { floor, postgraphile: times } = question.wanted[wanted];
      const plain = ratioOf(result, which, "floor");
      if (floor !== undefined && plain)
        goals.push(atLeast(`${name}${words}: speed of the floor`, plain.ratio, floor, " x", plain.why));
      if (times === undefined) continue;
      const against = ratioOf(result, which, "postgraphile");
      if (against)
        goals.push(atLeast(`${name}${words}: speed of PostGraphile`, against.ratio, times, " x", against.why));
      else
        goals.push(
          notMeasured(
            `${name}${words}: speed of PostGraphile`,
            `${times} x or more`,
            question.values ? postgraphile : "no counterpart there",
          ),
        );
    }
    const busiest = rows.at(-1);
    if (busiest && !question.writes)
      goals.push(
        atMost(`${name}, repeated: p99 at ${busiest.connections} connections`, busiest.product.p99, mostP99, " ms"),
      );
    return goals;
  });
}

const word = ({ reached }: Goal) => (reached === null ? "not measured" : reached ? "yes" : "NO");

export const goalTable = (goals: Goal[]): string =>
  table(
    ["GOAL", "measured", "wanted", "reached", "why"],
    goals.map((goal) => [goal.what, goal.measured, goal.wanted, word(goal), (goal.why ?? "").slice(0, 200)]),
  );
