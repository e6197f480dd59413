import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartCard } from "./ChartCard.tsx";
import { cpuCores, cpus64Bit, emptyParams, libraryVersion, paramChart, paramsOf } from "./figures.ts";
import type { ParamFigure } from "./figures.ts";
import { paramFinding } from "./finding.ts";
import { useChartSettings } from "./overviewParams.ts";
import { entireYear } from "./periods.ts";
import { suppressedNote } from "./rows.ts";
import { type OverviewScope, scopeVariables } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const query = graphql(`
  query ParamTabQuery(
    $year: Int!, $quarter: Int!, $view: DashboardView!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
    $ofVersions: Boolean!, $ofCores: Boolean!, $ofBits: Boolean!
  ) {
    versions: libraryVersion(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) @include(if: $ofVersions) { param value }
    assessed: functionalityComparison(
      year: $year, quarter: $quarter, view: $view
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) @include(if: $ofVersions) { facilities assessed }
    cores: cpuCore(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) @include(if: $ofCores) { param value rounded }
    bits: osX64(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) @include(if: $ofBits) { param value rounded }
  }
`);

const smallComputersNote = suppressedNote("a quarter of a year");

/** Library Version Summary, CPU Cores and 64-Bit CPUs: how often each value occurs. */
export function ParamTab({ scope, figure }: { scope: OverviewScope; figure: ParamFigure }) {
  const [settings, change] = useChartSettings(useSystem().today);
  const { year, quarter, partner } = settings;
  const answer = useFigures(query, {
    ...{ year, quarter, view: quarter === entireYear ? "YEARLY" : "QUARTERLY", ...scopeVariables(scope, partner) },
    ...{ ofVersions: figure === libraryVersion, ofCores: figure === cpuCores, ofBits: figure === cpus64Bit },
  });
  return (
    <ChartCard
      draw={({ versions, assessed, cores, bits }) => {
        const computers = cores ?? bits ?? [];
        const rows = versions ?? computers;
        const visible = rows.flatMap(({ param, value }) => (value == null ? [] : [{ param, value }]));
        const chart = paramChart(figure, visible);
        const isSuppressed = visible.length < rows.length;
        const isRounded = computers.some(({ rounded }) => rounded);
        return {
          finding: paramFinding(figure, visible),
          chart,
          table: chart,
          of: `${paramsOf(figure, visible, assessed?.[0]) ?? ""}${isRounded ? " Rounded to fives." : ""}` || undefined,
          counts: undefined,
          empty: isSuppressed ? smallComputersNote : emptyParams(figure, chart),
        };
      }}
      onChange={change}
      query={answer}
      scope={scope}
      settings={settings}
      title={figure.title}
    />
  );
}
