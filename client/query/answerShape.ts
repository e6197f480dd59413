import { type ChartChoice, type ChartKind, chartKinds } from "./answerChart.ts";

/** The shape in which an answer is shown, as search parameters. Their names have a dot, which variables of a query cannot have. */
export type AnswerShape = { sort?: string | undefined; chart?: Partial<ChartChoice> | undefined };

const names = { sort: "table.sort", kind: "chart.kind", by: "chart.by", of: "chart.of" } as const;

const isKind = (text: string | null): text is ChartKind => chartKinds.includes(text as ChartKind);
const listOf = (text: string | null) => (text ? text.split(",") : undefined);

export function readShape(params: URLSearchParams): AnswerShape {
  const [kind, by, of] = [params.get(names.kind), listOf(params.get(names.by)), listOf(params.get(names.of))];
  return {
    ...(params.has(names.sort) ? { sort: params.get(names.sort)! } : {}),
    ...(isKind(kind) ? { chart: { kind, ...(by ? { by } : {}), ...(of ? { of } : {}) } } : {}),
  };
}

/** The parameters with this shape, which replaces an earlier one. */
export function withShape(params: URLSearchParams, { sort, chart }: AnswerShape): URLSearchParams {
  const changed = new URLSearchParams(params);
  for (const name of Object.values(names)) changed.delete(name);
  if (sort) changed.set(names.sort, sort);
  if (chart) changed.set(names.kind, chart.kind ?? "bar");
  if (chart?.by) changed.set(names.by, chart.by.join(","));
  if (chart?.of) changed.set(names.of, chart.of.join(","));
  return changed;
}

/** The variables among the parameters of an address. */
export const variablesIn = (params: URLSearchParams): [name: string, value: string][] => [...params].filter(([name]) => !name.includes("."));
