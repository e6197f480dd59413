import { Button, Card } from "@blueprintjs/core";
import { ThIcon } from "@blueprintjs/icons";
import { useId } from "react";
import { useNavigate } from "react-router-dom";
import { showError } from "../shell/toast/toaster.tsx";
import { demonstrationText } from "../shell/session/demonstration.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartExportButton } from "../ui/chart/ChartExportButton.tsx";
import { ChartFrame, ChartSkeleton } from "../ui/chart/ChartFrame.tsx";
import type { Bar, BarChart, ChartSeries } from "../ui/chart/barChart.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { asAtWords } from "../shell/clock/asAt.ts";
import type { PeriodFigure } from "./figures.ts";
import { FiguresTable } from "./FiguresTable.tsx";
import type { BarLink, RowAims, RowCounts } from "./FiguresTable.tsx";
import { type ChartSettings, spanOptions } from "./overviewParams.ts";
import { periodWords } from "./periods.ts";
import { type OverviewScope, scopeWhat, targetUnit } from "./scope.ts";
import type { Figures } from "./useFigures.ts";
import { useScopeNames } from "./useScopeNames.ts";
import { measures, type TargetAnswer, targetWords } from "../target/measures.ts";
import { TargetsSection } from "../target/TargetsSection.tsx";

/**
 * A chart ready to be drawn: its bars, or the reason why there are none, and the number of facilities behind it, in
 * words and for each row.
 */
export type Drawing = {
  chart: BarChart;
  empty: string | undefined;
  of: string | undefined;
  counts: RowCounts[] | undefined;
  aims?: RowAims[];
};

type ChartCardProps<D> = {
  title: string;
  /** The legend. It is known before the figures arrive. */
  series?: ChartSeries[];
  scope: OverviewScope;
  settings: ChartSettings;
  onChange: (some: Partial<ChartSettings>) => void;
  query: Figures<D>;
  draw: (data: D) => Drawing;
  /** Set if the chart is beside others: each names its place, and only the first has the controls. */
  side?: "first" | "other" | undefined;
  /** Set if the figures can be split by period. */
  figure?: PeriodFigure;
  /** The targets of the scope, for all figures. */
  targets?: readonly TargetAnswer[];
  /** The link behind a bar. */
  linkOf?: BarLink;
};

const viewOptions: { value: ChartSettings["view"]; label: string }[] = [
  { value: "monthly", label: "Monthly" },
  { value: "quarterly", label: "Quarterly" },
];

/** The controls of a chart by period: months or quarters, number of years, numbers or shares. */
function PeriodControls({
  settings,
  onChange,
  share,
}: Pick<ChartCardProps<never>, "settings" | "onChange"> & Pick<PeriodFigure, "share">) {
  return (
    <div className="chart-controls stack is-close screen-only">
      <div className="grid scope-fields">
        <ChoiceField label="View" value={settings.view} options={viewOptions} onChange={(view) => onChange({ view })} />
        <ChoiceField
          label="Span"
          value={settings.years}
          options={spanOptions}
          onChange={(years) => onChange({ years })}
        />
        <ChoiceField
          label="Figures"
          value={settings.isShares ? "shares" : "numbers"}
          options={[
            { value: "numbers", label: "Numbers" },
            { value: "shares", label: share === "part" ? "Shares" : "Per facility" },
          ]}
          onChange={(figures) => onChange({ isShares: figures === "shares" })}
        />
      </div>
    </div>
  );
}

/**
 * One chart tab: the controls, the chart with its period in words, the table of its figures, and the picture to
 * download.
 */
export function ChartCard<D>({
  title,
  series = [],
  scope,
  settings,
  onChange,
  query,
  draw,
  figure,
  targets = [],
  side,
  linkOf,
}: ChartCardProps<D>) {
  const { timeZone, demonstration } = useSystem();
  const { place, partnerWords } = useScopeNames(scope, settings.partner);
  const navigate = useNavigate();
  const tablePlace = useId();
  const periodPlace = useId();

  const period = periodWords(settings.year, settings.quarter, figure ? settings.years : 1);
  const drawing = query.data === undefined ? undefined : draw(query.data);
  const hasTable = settings.hasTable && drawing !== undefined && drawing.empty === undefined;
  const follow = (bar: Bar) => {
    const link = linkOf?.(bar);
    if (link !== undefined) navigate(link);
  };
  const unit = targetUnit(scope, settings.partner);
  const unitName =
    (unit.implementingPartnerId !== undefined && scope.implementingPartnerId === undefined ? partnerWords : place) ??
    "";
  const sums = figure?.series.map(({ sum }) => sum) ?? [];
  const aims = targets.filter(({ measure }) => sums.includes(measures[measure].sum));
  const caption = [title, side ? place : undefined, period].filter(Boolean).join(", ");
  const picture = {
    title: [title, place].filter(Boolean).join(", "),
    notes: [
      figure && settings.years <= 2 ? `${period}, ${settings.view}` : period,
      partnerWords ?? "",
      drawing?.of ?? "",
      ...aims.map(targetWords),
      `SmartCare Deployment Platform, ${asAtWords(timeZone, query.at)}`,
      demonstration ? demonstrationText : "",
    ].filter(Boolean),
  };

  return (
    <Card className="chart-card stack">
      {figure && side !== "other" ? (
        <PeriodControls onChange={onChange} settings={settings} share={figure.share} />
      ) : null}
      <p
        className="print-only"
        data-words={[place, ...picture.notes.filter((note) => note !== drawing?.of)].filter(Boolean).join(" · ")}
      />
      <div className="row is-spread">
        <div>
          <h3>{title}</h3>
          <p className="soft" id={periodPlace}>
            {side ? `${place ?? ""} · ${period}` : period}
          </p>
          {drawing?.of && drawing.empty === undefined ? <p className="chart-card-of note">{drawing.of}</p> : null}
        </div>
        <div className="row screen-only">
          <Button
            aria-controls={hasTable ? tablePlace : undefined}
            aria-expanded={settings.hasTable}
            disabled={drawing?.empty !== undefined && !settings.hasTable}
            icon={<ThIcon />}
            onClick={() => onChange({ hasTable: !settings.hasTable })}
            text={settings.hasTable ? "Hide table" : "Show table"}
          />
          <ChartExportButton
            chart={drawing?.empty === undefined ? drawing?.chart : undefined}
            heading={picture}
            onFailure={() => showError("The picture could not be drawn")}
          />
        </div>
      </div>
      {drawing || query.error ? (
        <QueryState query={query} what={scopeWhat(scope, settings.partner)}>
          {() =>
            drawing?.empty === undefined && drawing ? (
              <ChartFrame
                chart={drawing.chart}
                describedBy={periodPlace}
                label={`Bar chart: ${title}${side ? `, ${place ?? ""}, ${period}` : ""}`}
                onBar={linkOf ? follow : undefined}
              />
            ) : (
              <div className="chart-card-empty">
                <Empty>{drawing?.empty}</Empty>
              </div>
            )
          }
        </QueryState>
      ) : (
        <ChartSkeleton series={series} />
      )}
      {figure ? (
        <TargetsSection
          onChange={() => query.reload()}
          sums={sums}
          targets={aims}
          unit={unit}
          unitName={unitName}
          year={settings.year}
        />
      ) : null}
      {linkOf && drawing?.empty === undefined ? (
        <p className="note screen-only">Click a bar for the list of its facilities; in the table, its figure.</p>
      ) : null}
      {hasTable ? (
        <div id={tablePlace}>
          <FiguresTable
            aims={drawing.aims}
            caption={caption}
            captionHidden={side !== undefined}
            chart={drawing.chart}
            counts={drawing.counts}
            linkOf={linkOf}
          />
        </div>
      ) : null}
    </Card>
  );
}
