import { Button, Card } from "@blueprintjs/core";
import { PrintIcon } from "@blueprintjs/icons";
import { useEffect } from "react";
import { useSearchParams } from "react-router-dom";
import { periodEnd, periodOf } from "../../gateway/calendar/fiscal.rules.ts";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { currentSession } from "../shell/session/session.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { SituationSection } from "../situation/SituationSection.tsx";
import { WorklistReportSection } from "../situation/worklist/WorklistReportSection.tsx";
import { ChartFrame, chartPart } from "../ui/chart/ChartFrame.tsx";
import type { BarChart } from "../ui/chart/barChart.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { missingPart } from "../ui/notice/missingPart.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { Page } from "../ui/page/Page.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { instantText } from "../ui/text/instants.ts";
import { failedWith } from "../ui/network/failureWords.ts";
import { screenLoader } from "../urql.ts";
import { ChangesSection } from "./ChangesSection.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { DocumentScopeControls } from "./DocumentScopeControls.tsx";
import {
  emptyParams,
  functionality,
  implementationMode,
  libraryVersion,
  paramChart,
  periodRowFragment,
  training,
} from "./figures.ts";
import { FiguresTable } from "./FiguresTable.tsx";
import type { RowCounts } from "./FiguresTable.tsx";
import { type ChosenPeriod, entireYear, periodBeside, periodWords, quarterOptions, yearOptions } from "./periods.ts";
import { readReportPeriod, readReportScope } from "./reportScope.ts";
import { reportSentences } from "./reportSentences.ts";
import { allPartners, scopeTitle, scopeVariables, scopeWhat } from "./scope.ts";
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
    ) { ...Figures_DashboardRow }
    before: functionalityComparison(
      year: $yearBefore, quarter: $quarterBefore, view: YEARLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...Figures_DashboardRow }
    quarters: functionalityComparison(
      year: $year, quarter: -1, years: 2, view: QUARTERLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...Figures_DashboardRow }
    versions: libraryVersion(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { param value }
  }
`);

function variablesOf(params: URLSearchParams, today: string) {
  const { scope, partner } = readReportScope(params);
  const period = readReportPeriod(params, today);
  const before = periodBeside(period, -1);
  return { ...period, yearBefore: before.year, quarterBefore: before.quarter, ...scopeVariables(scope, partner) };
}

const presentDay = () => {
  const session = currentSession();
  return session.state === "signedIn" ? session.system.today : "";
};
export const loader = screenLoader(query, ({ url }) => variablesOf(url, presentDay()));

type PartProps = {
  title: string;
  chart: BarChart;
  empty: string | undefined;
  counts?: RowCounts[] | undefined;
  note?: string;
};

/** One chart of the report, with the table of its figures. */
function ReportPart({ title, chart, empty, counts, note }: PartProps) {
  return (
    <Card className="chart-card stack report-part">
      <h3>{title}</h3>
      {note ? <p className="chart-card-of note">{note}</p> : null}
      {empty === undefined ? (
        <ChartFrame chart={chart} isEager label={`Bar chart: ${title}`} />
      ) : (
        <Empty>{empty}</Empty>
      )}
      {empty === undefined ? <FiguresTable caption={title} captionHidden chart={chart} counts={counts} /> : null}
    </Card>
  );
}

/** The first and last day of a period, up to today; undefined if the period is in the future. */
function daysOf(period: ChosenPeriod, day: string): { start: string; to: string } | undefined {
  const named = periodOf(period);
  const last = daysAfter(periodEnd(named), -1);
  return named.start > day ? undefined : { start: named.start, to: last < day ? last : day };
}

/** The parts that are still being fetched or drawn. */
const unfinished = [
  ".state-loading",
  "[aria-busy=true]",
  ".chart-waiting",
  ".situation-map-place:empty",
  ".chart-drawing:not(:has(svg))",
]
  .map((part) => `.report ${part}`)
  .join();
const patienceMs = 10_000;

/** Prints when the document is complete, or after ten seconds with what has arrived. */
async function print(): Promise<void> {
  await chartPart.load().catch(() => {});
  const end = performance.now() + patienceMs;
  while (document.querySelector(unfinished) && performance.now() < end)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  window.print();
}

/** Sets the document's title while it is printed, because browsers name the PDF after it. */
function usePrintTitle(title: string): void {
  useEffect(() => {
    let onScreen: string | undefined;
    const begin = () => {
      onScreen ??= document.title;
      document.title = title;
    };
    const end = () => {
      if (onScreen !== undefined) document.title = onScreen;
      onScreen = undefined;
    };
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      end();
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, [title]);
}

/** One scope in one period as a document that can be read, printed, saved as PDF or passed on as a link. */
export function ReportScreen() {
  const { today, timeZone } = useSystem();
  const [params] = useSearchParams();
  const change = useAddress();
  const { scope, partner } = readReportScope(params);
  const period = readReportPeriod(params, today);
  const names = useScopeNames(scope, partner);
  const { user } = useViewer();
  const answer = useFigures(query, variablesOf(params, today));
  const days = daysOf(period, today);
  const ofPartner = scope.implementingPartnerId !== undefined;
  const partnerWords = ofPartner ? names.place : names.partnerWords;
  const place = ofPartner ? scopeTitle({}, undefined) : names.place;
  const isOfAll = !ofPartner && partner === allPartners;
  const isOfQuarter = period.quarter !== entireYear;
  usePrintTitle(
    [
      "Quarterly report",
      place,
      isOfAll ? undefined : partnerWords,
      `FY ${period.year}${isOfQuarter ? ` quarter ${period.quarter}` : ""}`,
    ]
      .filter(Boolean)
      .join(", "),
  );
  if (answer.error && failedWith(answer.error, "NOT_FOUND") && !answer.fetching)
    return <NotFoundNotice what={missingPart(answer.error, scopeWhat(scope, partner))} />;
  const within = scopeVariables(scope, partner);
  const facts = [
    ["Scope", place],
    ["Implementing partner", partnerWords],
    ["Period", periodWords(period.year, period.quarter)],
    ["Figures as at", instantText(answer.at, timeZone)],
    [
      "Made by",
      [user.firstName, user.surname].filter(Boolean).join(" ") + `, ${user.implementingPartner.implementingPartner}`,
    ],
    ["Address", window.location.href],
  ] as const;
  return (
    <Page
      title="Quarterly report"
      actions={<Button icon={<PrintIcon />} onClick={() => void print()} text="Print or save as PDF" />}
    >
      <div className="report stack is-apart">
        <div className="report-controls row screen-only">
          <DocumentScopeControls names={names} partner={partner} scope={scope} />
          <ChoiceField
            label="Year"
            onChange={(year) => change((now) => ({ ...readReportPeriod(now, today), year }))}
            options={yearOptions(today).map((year) => ({ value: year, label: String(year) }))}
            value={period.year}
          />
          <ChoiceField
            label="Quarter"
            onChange={(quarter) => change((now) => ({ ...readReportPeriod(now, today), quarter }))}
            options={quarterOptions}
            value={period.quarter}
          />
        </div>
        <div className="report-cover">
          <FactList>
            {facts.map(([name, value]) =>
              value === undefined ? null : (
                <Fact key={name} label={name} unknown="">
                  {value}
                </Fact>
              ),
            )}
          </FactList>
        </div>
        <SituationSection isDocument scope={within} />
        <section>
          <h2>The period</h2>
          <QueryState query={answer} what={scopeWhat(scope, partner)}>
            {({ now, before, quarters, versions }) => {
              const [row] = readFragment(periodRowFragment, now ?? []);
              const [rowBefore] = readFragment(periodRowFragment, before ?? []);
              const quarterRows = readFragment(periodRowFragment, quarters ?? []);
              const library = paramChart(
                libraryVersion,
                (versions ?? []).flatMap(({ param, value }) => (value == null ? [] : [{ param, value }])),
              );
              return (
                <div className="overview-panel stack is-apart">
                  <div className="report-sentences measure">
                    {(row ? reportSentences(row, rowBefore) : []).map((sentence) => (
                      <p key={sentence}>{sentence}</p>
                    ))}
                  </div>
                  {[functionality, implementationMode, training].map((figure) => {
                    const { table: chart, empty, counts, of } = drawPeriods(figure, quarterRows, false);
                    return (
                      <ReportPart
                        chart={chart}
                        counts={counts}
                        empty={empty}
                        key={figure.title}
                        note={`${periodWords(period.year, -1, 2)}. ${of ?? ""}`}
                        title={figure.title}
                      />
                    );
                  })}
                  <ReportPart
                    chart={library}
                    empty={emptyParams(libraryVersion, library)}
                    title={libraryVersion.title}
                  />
                  {days ? (
                    <Card className="report-part stack">
                      <h3>What changed in the period</h3>
                      <ChangesSection
                        first={25}
                        from={daysAfter(days.start, -1)}
                        partner={partner}
                        scope={scope}
                        start={days.start}
                        to={days.to}
                      />
                    </Card>
                  ) : null}
                </div>
              );
            }}
          </QueryState>
        </section>
        <WorklistReportSection scope={within} />
      </div>
    </Page>
  );
}
