import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartCard } from "./ChartCard.tsx";
import { cpuCores, emptyParams, libraryVersion, paramChart, type ParamFigure, paramsOf } from "./figures.ts";
import { useScreenQuery } from "../urql.ts";
import { useChartSettings } from "./overviewParams.ts";
import { entireYear } from "./periods.ts";
import { suppressedNote } from "./rows.ts";
import { type OverviewScope, scopeVariables } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const libraryVersionQuery = graphql(`
  query ParamTab_libraryVersion($year: Int!, $quarter: Int!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    rows: libraryVersion(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { param value }
  }
`);

const cpuCoreQuery = graphql(`
  query ParamTab_cpuCore($year: Int!, $quarter: Int!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    rows: cpuCore(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { param value suppressed }
  }
`);

const osX64Query = graphql(`
  query ParamTab_osX64($year: Int!, $quarter: Int!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    rows: osX64(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { param value suppressed }
  }
`);

/** The denominator of a period's library versions: how many facilities there are, and how many were assessed. */
const assessedQuery = graphql(`
  query ParamTab_assessed($year: Int!, $quarter: Int!, $view: DashboardView!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    periods: functionalityComparison(
      year: $year, quarter: $quarter, view: $view
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { facilities assessed }
  }
`);

const smallComputersNote = suppressedNote("a quarter of a year");

function queryOf(figure: ParamFigure) {
  if (figure === libraryVersion) return libraryVersionQuery;
  return figure === cpuCores ? cpuCoreQuery : osX64Query;
}

/** Library Version Summary, CPU Cores and 64-Bit CPUs: how often each value occurs. */
export function ParamTab({ scope, figure }: { scope: OverviewScope; figure: ParamFigure }) {
  const [settings, change] = useChartSettings(useSystem().today);
  const { year, quarter, partner } = settings;
  const asked = { year, quarter, ...scopeVariables(scope, partner) };
  const query = useFigures(queryOf(figure), asked);
  const { data: known } = useScreenQuery(assessedQuery, { ...asked, view: quarter === entireYear ? "YEARLY" : "QUARTERLY" }, figure !== libraryVersion);
  return (
    <ChartCard
      draw={({ rows }) => {
        const visible = (rows ?? []).flatMap(({ param, value }) => (value == null ? [] : [{ param, value }]));
        const chart = paramChart(figure, visible);
        const isSuppressed = visible.length < (rows?.length ?? 0);
        return { chart, of: paramsOf(figure, visible, known?.periods?.[0]), counts: undefined, empty: isSuppressed ? smallComputersNote : emptyParams(figure, chart) };
      }}
      onChange={change}
      query={query}
      scope={scope}
      settings={settings}
      title={figure.title}
    />
  );
}
