import { useSearchParams } from "react-router-dom";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { useSystem } from "../shell/session/viewer.ts";
import { type Side, sidesOf } from "./compared.ts";
import { type ChartSettings, overviewParams, useChartSettings } from "./overviewParams.ts";
import type { OverviewScope } from "./scope.ts";
import { type Figures, useFigures } from "./useFigures.ts";

/** The sides of a chart with their figures, the page's own first, and a function that changes the settings. An unused side repeats the page's own query, which is sent only once. */
export function useSides<D, V extends AnyVariables>(scope: OverviewScope, query: TypedDocumentNode<D, V>, variablesOf: (side: Side) => V) {
  const { today } = useSystem();
  const [params] = useSearchParams();
  const [settings, change] = useChartSettings(today);
  const own: Side = { scope, settings };
  const sides = sidesOf(own, params.get(overviewParams.compare), today);
  const of = (at: number) => variablesOf(sides[at] ?? own);
  const figures = [useFigures(query, of(0)), useFigures(query, of(1)), useFigures(query, of(2)), useFigures(query, of(3))];
  return { sides: sides.map((side, at) => ({ ...side, query: figures[at]! })), change };
}

/** The props of a side's card. */
export const sideProps = <D>(side: Side & { query: Figures<D> }, at: number, all: readonly unknown[], change: (some: Partial<ChartSettings>) => void) => ({
  onChange: change,
  query: side.query,
  scope: side.scope,
  settings: side.settings,
  side: all.length < 2 ? undefined : at === 0 ? ("first" as const) : ("other" as const),
});
