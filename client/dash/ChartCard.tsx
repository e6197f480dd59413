import { Card, SegmentedControl } from "@blueprintjs/core";
import { useId, useState } from "react";
import { useNavigate } from "react-router-dom";
import { showError } from "../shell/toast/toaster.tsx";
import { demonstrationText } from "../shell/session/demonstration.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { ChartExportButton } from "../ui/chart/ChartExportButton.tsx";
import { saveSvg } from "../ui/chart/pictures.ts";
import { ChartFrame, ChartSkeleton } from "../ui/chart/ChartFrame.tsx";
import type { Bar, BarChart, ChartSeries } from "../ui/chart/barChart.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ChartMenuButton } from "./ChartMenuButton.tsx";
import { asAtWords } from "../shell/clock/asAt.ts";
import type { PeriodFigure } from "./figures.ts";
import { FiguresTable } from "./FiguresTable.tsx";
import { figureRows, figuresCsv } from "./figuresCsv.ts";
import type { BarLink, RowAims, RowCounts } from "./FiguresTable.tsx";
import { type ChartSettings, spanOptions } from "./overviewParams.ts";
import { entireYear, newerFiscalYear, periodWords } from "./periods.ts";
import { type OverviewScope, scopeWhat, targetUnit } from "./scope.ts";
import type { Figures } from "./useFigures.ts";
import { useScopeNames } from "./useScopeNames.ts";
import { measuresOf, type TargetAnswer, targetWords } from "../target/measures.ts";
import { TargetsSection } from "../target/TargetsSection.tsx";

/**
 * A chart ready to be drawn: what it says, its bars, or the reason why there are none, all its figures for the table,
 * and the number of facilities behind it, in words and for each row.
 */
export type Drawing = {
  finding: string | undefined;
  chart: BarChart;
  table: BarChart;
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
  /**
   * The names of the sides, if the chart compares, and their place, if it is the same. The names of sides in different
   * years say which.
   */
  compared?: { names: string; ownPlace: string | undefined; panels: number; isOneYear: boolean } | undefined;
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

type Segment<V> = {
  label: string;
  value: V;
  options: { value: V; label: string }[];
  onChange: (value: V) => void;
  /** why nothing can be chosen here */
  unused?: string | undefined;
};

/** A choice between a few values, of which all are in view. */
function Segments<V extends string | number>({ label, value, options, onChange, unused }: Segment<V>) {
  const control = (
    <SegmentedControl
      aria-label={label}
      disabled={unused !== undefined}
      inline
      onValueChange={(text) => {
        const chosen = options.find((option) => String(option.value) === text);
        if (chosen) onChange(chosen.value);
      }}
      options={options.map((option) => ({ label: option.label, value: String(option.value) }))}
      size="small"
      value={String(value)}
    />
  );
  return unused === undefined ? control : <span title={unused}>{control}</span>;
}

/**
 * The controls of a chart: months or quarters, number of years, numbers or shares. The first stands on every chart, so
 * that the others do not move from tab to tab; a count over the whole period has no use for it.
 */
function PeriodControls({
  settings,
  onChange,
  figure,
}: Pick<ChartCardProps<never>, "settings" | "onChange" | "figure">) {
  const view = (
    <Segments
      label="View"
      onChange={(chosen) => onChange({ view: chosen })}
      options={viewOptions}
      unused={figure ? undefined : "These figures are counted over the whole period"}
      value={settings.view}
    />
  );
  if (!figure) return view;
  return (
    <>
      {view}
      <Segments label="Span" onChange={(years) => onChange({ years })} options={spanOptions} value={settings.years} />
      <Segments
        label="Figures"
        onChange={(figures) => onChange({ isShares: figures === "shares" })}
        options={[
          { value: "shares", label: figure.share === "part" ? "Percent" : "Per site" },
          { value: "numbers", label: "Numbers" },
        ]}
        value={settings.isShares ? "shares" : "numbers"}
      />
    </>
  );
}

/**
 * One chart tab: what the chart says, its controls, the chart with its period in words, the table of its figures, and the picture to
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
  compared,
  linkOf,
}: ChartCardProps<D>) {
  const { timeZone, demonstration, today } = useSystem();
  const { privileges } = useViewer();
  const [isSettingTargets, setSettingTargets] = useState(false);
  const { place: ownPlace, partnerWords } = useScopeNames(scope, settings.partner);
  const place = compared ? [compared.ownPlace, compared.names].filter(Boolean).join(", ") : ownPlace;
  const navigate = useNavigate();
  const periodPlace = useId();

  const newer = newerFiscalYear(today);
  const ownPeriod = periodWords(settings.year, settings.quarter, figure ? settings.years : 1);
  const ofEachYear =
    settings.quarter === entireYear
      ? "Fiscal years, October to September"
      : `Quarter ${settings.quarter} of each fiscal year`;
  const period = compared?.isOneYear === false ? ofEachYear : ownPeriod;
  const drawing = query.data === undefined ? undefined : draw(query.data);
  const follow = (bar: Bar) => {
    const link = linkOf?.(bar);
    if (link !== undefined) navigate(link);
  };
  const unit = targetUnit(scope, settings.partner);
  const unitName =
    (unit.implementingPartnerId !== undefined && scope.implementingPartnerId === undefined ? partnerWords : ownPlace) ??
    "";
  const sums = figure?.series.map(({ sum }) => sum) ?? [];
  const choices = measuresOf(sums);
  const aims = targets.filter(({ measure }) => choices.includes(measure));
  const caption = [title, compared ? place : undefined, period].filter(Boolean).join(", ");
  const words = [title, place, period, figure && settings.years <= 2 ? settings.view : ""].filter(Boolean).join(", ");
  const picture = {
    name: words,
    title: drawing?.finding ?? title,
    notes: [
      words,
      partnerWords ?? "",
      drawing?.of ?? "",
      ...aims.map(targetWords),
      `SmartCare Deployment Platform, ${asAtWords(timeZone, query.at)}`,
      demonstration ? demonstrationText : "",
    ].filter(Boolean),
  };

  const notDrawn = () => showError("The picture could not be drawn");
  const isDrawn = drawing !== undefined && drawing.empty === undefined;
  const table = isDrawn ? (
    <FiguresTable
      aims={drawing.aims}
      caption={caption}
      captionHidden={compared !== undefined}
      chart={drawing.table}
      counts={drawing.counts}
      linkOf={linkOf}
    />
  ) : null;
  return (
    <Card className="chart-card stack is-close" compact>
      <p className="print-only" data-words={picture.notes.filter((note) => note !== drawing?.of).join(" · ")} />
      <div className="chart-head row is-close is-spread">
        <h3>{(isDrawn ? drawing.finding : undefined) ?? title}</h3>
        <div className="chart-controls row is-close screen-only">
          <PeriodControls figure={figure} onChange={onChange} settings={settings} />
          <ChartExportButton chart={isDrawn ? drawing.chart : undefined} heading={picture} onFailure={notDrawn} />
          <ChartMenuButton
            onSvg={isDrawn ? () => void saveSvg(drawing.chart, picture).catch(notDrawn) : undefined}
            onTargets={choices.length > 0 && privileges.administrator ? () => setSettingTargets(true) : undefined}
            table={
              isDrawn
                ? {
                    isShown: settings.hasTable,
                    onToggle: () => onChange({ hasTable: !settings.hasTable }),
                    onSave: () =>
                      saveAsFile(`${caption}.csv`, figuresCsv(figureRows(drawing.table, drawing.counts)), "text/csv"),
                    onWorkbook: () =>
                      void import("./saveWorkbook.ts")
                        .then(({ saveWorkbook }) =>
                          saveWorkbook(`${caption}.xlsx`, figureRows(drawing.table, drawing.counts)),
                        )
                        .catch(() => showError("The workbook could not be made")),
                  }
                : undefined
            }
          />
        </div>
      </div>
      <p className="note">
        <span id={periodPlace}>{compared ? [place, period].filter(Boolean).join(" · ") : period}</span>
        {newer !== undefined && newer !== settings.year ? (
          <span className="chart-newer screen-only">FY {newer} is already running (next period)</span>
        ) : null}
      </p>
      {drawing || query.error ? (
        <QueryState query={query} what={scopeWhat(scope, settings.partner)}>
          {() =>
            isDrawn ? (
              <ChartFrame
                chart={drawing.chart}
                describedBy={periodPlace}
                label={`Bar chart: ${title}${compared ? `, ${[place, period].filter(Boolean).join(", ")}` : ""}`}
                onBar={linkOf ? follow : undefined}
                onPaper={settings.hasTable ? undefined : table}
              />
            ) : (
              <div className="chart-card-empty">
                <Empty>{drawing?.empty}</Empty>
              </div>
            )
          }
        </QueryState>
      ) : (
        <ChartSkeleton panels={compared?.panels ?? 1} series={series} />
      )}
      {drawing?.of && isDrawn ? <p className="chart-card-of note">{drawing.of}</p> : null}
      {figure ? (
        <TargetsSection
          choices={choices}
          isOpen={isSettingTargets}
          onChange={() => query.reload()}
          onClose={() => setSettingTargets(false)}
          targets={aims}
          unit={unit}
          unitName={unitName}
          year={settings.year}
        />
      ) : null}
      {linkOf && isDrawn ? (
        <p className="note screen-only">Click a bar for the list of its facilities; in the table, its figure.</p>
      ) : null}
      {settings.hasTable ? table : null}
    </Card>
  );
}
