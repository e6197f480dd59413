import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { ChartCard, type Drawing } from "./ChartCard.tsx";
import { type Side, sidesOf } from "./compared.ts";
import { cutEmpty, joinDrawings, sideNames } from "./comparison.ts";
import { chartModes, implementationMode, type PeriodFigure, periodRowFragment } from "./figures.ts";
import { overviewParams, useChartSettings } from "./overviewParams.ts";
import { comparedFinding, hasMovingBase } from "./finding.ts";
import { inFiscalOrder } from "./periods.ts";
import type { OverviewScope } from "./scope.ts";
import { areLines, drawnSeries, drawPeriods, modeLink, seriesVariables, unknownNote } from "./series.ts";
import { useFigures } from "./useFigures.ts";
import { useScopeNames } from "./useScopeNames.ts";

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
    ) { targetUuid measure year percent unit provinceId districtId implementingPartnerId notRecorded reached attainment }
  }
`);

/** A side's figures and its names. */
function useSide({ scope, settings }: Side) {
  const answer = useFigures(query, seriesVariables(settings, scope));
  const { place = "", name = place } = useScopeNames(scope, settings.partner);
  const rows = inFiscalOrder(readFragment(periodRowFragment, answer.data?.[settings.view] ?? []));
  return { scope, settings, answer, place, name, rows, targets: answer.data?.attainment ?? [] };
}

/**
 * Functionality Status, Training Distribution and Implementation Mode: three charts of the same rows, which are fetched
 * once for both views. What they are compared with is in the same chart: each side has its line, or its panel.
 */
export function PeriodTab({ scope, figure }: { scope: OverviewScope; figure: PeriodFigure }) {
  const { today } = useSystem();
  const [params] = useSearchParams();
  const [settings, change] = useChartSettings(today);
  const asked = sidesOf({ scope, settings }, params.get(overviewParams.compare), today);
  const own = useSide(asked[0]!);
  // A side that is not used repeats the page's own query, which is sent only once.
  const others = [useSide(asked[1] ?? asked[0]!), useSide(asked[2] ?? asked[0]!), useSide(asked[3] ?? asked[0]!)];
  const compared = others.slice(0, asked.length - 1);
  const sides = [own, ...compared.filter(({ answer }) => !answer.error)];
  const isComparison = sides.length > 1;
  const isShares = settings.isShares ?? (figure.share === "part" && hasMovingBase(sides.flatMap(({ rows }) => rows)));
  const isLines = areLines(figure, settings, isComparison);
  const names = sideNames(sides);
  const cut = cutEmpty(sides.map(({ rows }, at) => ({ name: names[at]!, rows })));
  const shown = sides.map((side, at) => ({ ...side, rows: cut.sides[at]!.rows }));
  const bars = shown.flatMap((side) => side.rows.map((row) => ({ row, side })));
  const isMissing = sides.length <= compared.length;
  const draw = (): Drawing => {
    const drawings = shown.map(({ rows, targets }) => drawPeriods(figure, rows, isShares, targets, isLines));
    if (!isComparison) return { ...drawings[0]!, of: [drawings[0]!.of, cut.note].filter(Boolean).join(" ") };
    const facilities = shown.map(({ rows }, at) => `${formatNumber(rows[0]?.facilities ?? 0)} (${names[at]})`);
    return {
      ...joinDrawings(names, drawings),
      finding: comparedFinding(figure, cut.sides),
      of: [
        isLines
          ? `Facilities: ${facilities.join(", ")}.`
          : `Under each period: the facilities assessed in it, of ${facilities.join(", ")}.`,
        drawings.some(({ hasUnknown }) => hasUnknown) ? unknownNote : "",
        cut.note,
        isMissing ? "A part of the comparison could not be read." : "",
      ]
        .filter(Boolean)
        .join(" "),
    };
  };
  const isComplete = sides.every(({ answer }) => answer.data !== undefined);
  return (
    <ChartCard
      compared={
        isComparison
          ? {
              names: new Intl.ListFormat("en-GB").format(names),
              ownPlace: sides.every(({ place }) => place === own.place) ? own.place : undefined,
              panels: isLines ? drawnSeries(figure).length : sides.length,
              isOneYear: sides.every((side) => side.settings.year === settings.year),
            }
          : undefined
      }
      draw={draw}
      figure={figure}
      linkOf={
        figure === implementationMode
          ? ({ row, series }) => {
              const bar = bars[row];
              return bar && modeLink(chartModes[series], bar.side.scope, bar.side.settings.partner, bar.row);
            }
          : undefined
      }
      onChange={change}
      query={isComplete ? own.answer : { ...own.answer, data: undefined }}
      scope={scope}
      series={isLines ? [] : drawnSeries(figure)}
      settings={{ ...settings, isShares }}
      targets={own.targets}
      title={figure.title}
    />
  );
}
