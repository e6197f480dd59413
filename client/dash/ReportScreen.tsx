import { Button } from "@blueprintjs/core";
import { PrintIcon } from "@blueprintjs/icons";
import { useSearchParams } from "react-router-dom";
import { periodEnd, periodOf } from "../../gateway/calendar/fiscal.rules.ts";
import { graphql } from "../gql/gql.ts";
import { currentSession } from "../shell/session/session.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartFrame, chartPart } from "../ui/chart/ChartFrame.tsx";
import type { BarChart } from "../ui/chart/barChart.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { screenLoader } from "../urql.ts";
import { asAtWords } from "./asAt.ts";
import { ChangesSection } from "./ChangesSection.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { emptyParams, functionality, implementationMode, libraryVersion, paramChart, training } from "./figures.ts";
import { FiguresTable } from "./FiguresTable.tsx";
import type { RowCounts } from "./FiguresTable.tsx";
import { periodWords, quarterOptions, yearOptions } from "./periods.ts";
import { periodBefore, readReportPeriod, readReportScope } from "./reportScope.ts";
import type { ReportPeriod } from "./reportScope.ts";
import { reportSentences } from "./reportSentences.ts";
import { scopeVariables, scopeWhat } from "./scope.ts";
import { drawPeriods } from "./series.ts";
import { useFigures } from "./useFigures.ts";
import { useScopeNames } from "./useScopeNames.ts";
import "./OverviewSection.css";
import "./ReportScreen.css";

const query = graphql(`
  query ReportScreenQuery(
    $year: Int!, $quarter: Int!, $yearBefore: Int!, $quarterBefore: Int!
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
  ) {
    now: functionalityComparison(
      year: $year, quarter: $quarter, view: YEARLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { state facilities assessed sumTrainedStaff sumSmartCareFunctional sumPrimaryPowerWorking sumBackupPowerWorking }
    before: functionalityComparison(
      year: $yearBefore, quarter: $quarterBefore, view: YEARLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { state facilities assessed sumTrainedStaff sumSmartCareFunctional sumPrimaryPowerWorking sumBackupPowerWorking }
    quarters: functionalityComparison(
      year: $year, quarter: -1, years: 2, view: QUARTERLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      year quarter calMonth state facilities assessed
      sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking
      efirst efast elast partial notDeployed notOperational
    }
    versions: libraryVersion(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { param value }
  }
`);

function variablesOf(params: URLSearchParams, today: string) {
  const { scope, partner } = readReportScope(params);
  const period = readReportPeriod(params, today);
  const before = periodBefore(period);
  return { ...period, yearBefore: before.year, quarterBefore: before.quarter, ...scopeVariables(scope, partner) };
}

const presentDay = () => {
  const session = currentSession();
  return session.state === "signedIn" ? session.system.today : "";
};
export const loader = screenLoader(query, ({ url }) => variablesOf(url, presentDay()));

type PartProps = { title: string; chart: BarChart; empty: string | undefined; counts?: RowCounts[] | undefined; note?: string };

/** One chart of the report, with the table of its figures. */
function ReportPart({ title, chart, empty, counts, note }: PartProps) {
  return (
    <section className="card chart-card report-part">
      <h2>{title}</h2>
      {note ? <p className="chart-card-of">{note}</p> : null}
      {empty === undefined ? <ChartFrame chart={chart} isEager label={`Bar chart: ${title}`} /> : <Empty>{empty}</Empty>}
      {empty === undefined ? <FiguresTable caption={title} chart={chart} counts={counts} /> : null}
    </section>
  );
}

/** The first and the last day of a period, as far as it has come; undefined where it lies ahead. */
function daysOf(period: ReportPeriod, day: string): { start: string; to: string } | undefined {
  const named = periodOf(period);
  const last = daysAfter(periodEnd(named), -1);
  return named.start > day ? undefined : { start: named.start, to: last < day ? last : day };
}

/** Prints once what draws the charts is there. */
async function print(): Promise<void> {
  await chartPart.load().catch(() => {});
  window.print();
}

/** One scope in one period as a document: to be read, printed, saved as PDF by the browser, or passed on as a link. */
export function ReportScreen() {
  const { today, timeZone } = useSystem();
  const [params, setParams] = useSearchParams();
  const { scope, partner } = readReportScope(params);
  const period = readReportPeriod(params, today);
  const { place, partnerWords } = useScopeNames(scope, partner);
  const answer = useFigures(query, variablesOf(params, today));
  const days = daysOf(period, today);
  const change = (name: keyof ReportPeriod, value: number) =>
    setParams(
      (now) => {
        now.set(name, String(value));
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Page
      title="Quarterly report"
      subtitle={[place, partnerWords, periodWords(period.year, period.quarter), asAtWords(timeZone, answer.at)].filter(Boolean).join(" · ")}
      actions={<Button icon={<PrintIcon />} onClick={() => void print()} text="Print or save as PDF" />}
    >
      <div className="report-controls">
        <ChoiceField label="Year" onChange={(year) => change("year", year)} options={yearOptions(today).map((year) => ({ value: year, label: String(year) }))} value={period.year} />
        <ChoiceField label="Quarter" onChange={(quarter) => change("quarter", quarter)} options={quarterOptions} value={period.quarter} />
      </div>
      <QueryState query={answer} what={scopeWhat(scope, partner)}>
        {({ now, before, quarters, versions }) => {
          const library = paramChart(libraryVersion, (versions ?? []).flatMap(({ param, value }) => (value == null ? [] : [{ param, value }])));
          return (
            <div className="overview-panel">
              <div className="report-sentences">
                {(now?.[0] ? reportSentences(now[0], before?.[0]) : []).map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </div>
              {[functionality, implementationMode, training].map((figure) => {
                const { chart, empty, counts, of } = drawPeriods(figure, quarters ?? [], { isShares: false });
                return <ReportPart chart={chart} counts={counts} empty={empty} key={figure.title} note={`${periodWords(period.year, -1, 2)}. ${of ?? ""}`} title={figure.title} />;
              })}
              <ReportPart chart={library} empty={emptyParams(libraryVersion, library)} title={libraryVersion.title} />
              {days ? (
                <section className="card report-part">
                  <h2>What changed in the period</h2>
                  <ChangesSection from={daysAfter(days.start, -1)} partner={partner} scope={scope} start={days.start} to={days.to} />
                </section>
              ) : null}
            </div>
          );
        }}
      </QueryState>
    </Page>
  );
}
