import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartCard } from "./ChartCard.tsx";
import { type Side, sidesOf } from "./compared.ts";
import { chartModes, implementationMode, type PeriodFigure, periodRowFragment } from "./figures.ts";
import { overviewParams, useChartSettings } from "./overviewParams.ts";
import { hasMovingBase } from "./finding.ts";
import { inFiscalOrder } from "./periods.ts";
import type { OverviewScope } from "./scope.ts";
import { drawPeriods, modeLink, onOneScale, seriesVariables } from "./series.ts";
import { useFigures } from "./useFigures.ts";

const query = graphql(`
  query PeriodTabQuery(
    $year: Int!, $quarter: Int!, $years: Int! = 1, $byMonth: DashboardView! = MONTHLY, $byQuarter: DashboardView! = QUARTERLY
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
  ) {
    monthly: functionalityComparison(
      year: $year, quarter: $quarter, years: $years, view: $byMonth
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...Figures_DashboardRow }
    quarterly: functionalityComparison(
      year: $year, quarter: $quarter, years: $years, view: $byQuarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...Figures_DashboardRow }
    attainment(
      year: $year, quarter: $quarter, years: $years
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { targetUuid measure year share unit provinceId districtId implementingPartnerId notRecorded reached attainment }
  }
`);

/**
 * Functionality Status, Training Distribution and Implementation Mode: three charts of the same rows, which are fetched
 * once for both views. Charts to compare with are beside them, or below them on a narrow screen.
 */
export function PeriodTab({ scope, figure }: { scope: OverviewScope; figure: PeriodFigure }) {
  const { today } = useSystem();
  const [params] = useSearchParams();
  const [settings, change] = useChartSettings(today);
  const own: Side = { scope, settings };
  const sides = sidesOf(own, params.get(overviewParams.compare), today);
  // A side that is not used repeats the page's own query, which is sent only once.
  const variablesOf = (side: Side = own) => seriesVariables(side.settings, side.scope);
  const answers = [
    useFigures(query, variablesOf(sides[0])),
    useFigures(query, variablesOf(sides[1])),
    useFigures(query, variablesOf(sides[2])),
    useFigures(query, variablesOf(sides[3])),
  ];
  const cards = sides.map((side, at) => {
    const answer = answers[at]!;
    const rows = inFiscalOrder(readFragment(periodRowFragment, answer.data?.[side.settings.view] ?? []));
    return { ...side, answer, rows, targets: answer.data?.attainment ?? [] };
  });
  const isShares = settings.isShares ?? (figure.share === "part" && cards.some(({ rows }) => hasMovingBase(rows)));
  const drawings = onOneScale(cards.map((card) => drawPeriods(figure, card.rows, isShares, card.targets)));
  const shown = cards.map(({ word, answer, rows, targets, ...side }, at) => (
    <ChartCard
      draw={() => drawings[at]!}
      figure={figure}
      key={word}
      linkOf={
        figure === implementationMode
          ? ({ row, series }) => modeLink(chartModes[series], side.scope, side.settings.partner, rows[row])
          : undefined
      }
      onChange={change}
      query={answer}
      scope={side.scope}
      series={figure.series}
      settings={{ ...side.settings, isShares }}
      side={cards.length < 2 ? undefined : at === 0 ? "first" : "other"}
      targets={targets}
      title={figure.title}
    />
  ));
  return shown.length > 1 ? <div className="chart-sides grid">{shown}</div> : shown;
}
