import { Button, Classes } from "@blueprintjs/core";
import { type CSSProperties, type ReactNode, useState } from "react";
import { Failure } from "../notice/Failure.tsx";
import { type Bar, type BarChart, type ChartSeries, panelsOf } from "./barChart.ts";
import { onPage, paint } from "./palette.ts";
import { fetchedPart, useFetchedPart, useIsNear } from "../network/fetchedPart.ts";
import { useSavingData } from "../network/savingData.ts";
import { useIsPrinting } from "../page/useIsPrinting.ts";
import "./dataColours.css";
import "./ChartFrame.css";

/** The code that draws charts. It is fetched separately, because it is larger than the rest of a screen. */
export const chartPart = fetchedPart(() => import("./Chart.tsx"));

type LegendProps = { series: ChartSeries[]; hidden?: readonly string[]; onToggle?: (label: string) => void };

/** Up to so many series are read at once: nobody needs to hide one. */
const mostAtOnce = 4;

/** Not Blueprint's buttons, which are not printed: each entry of a long legend shows or hides its series. */
function Legend({ series, hidden = [], onToggle }: LegendProps) {
  if (series.length < 2) return null;
  return (
    <ul aria-label="Series" className="chart-legend row plain">
      {series.map(({ label, tone }) => {
        const { fill, stroke } = paint(tone, onPage);
        const swatch = <span className="chart-swatch" style={{ background: fill, borderColor: stroke }} />;
        if (series.length <= mostAtOnce)
          return (
            <li key={label}>
              {swatch}
              {label}
            </li>
          );
        return (
          <li key={label}>
            <button
              aria-pressed={!hidden.includes(label)}
              className="chart-legend-entry"
              onClick={() => onToggle?.(label)}
              title="Show or hide"
              type="button"
            >
              {swatch}
              {label}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The labels of the hidden series. The last one that is shown cannot be hidden: then all are shown. */
function useHidden(series: ChartSeries[]) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const toggle = (label: string) => {
    const next = hidden.includes(label) ? hidden.filter((each) => each !== label) : [...hidden, label];
    setHidden(series.every((each) => next.includes(each.label)) ? [] : next);
  };
  return { hidden, toggle };
}

/**
 * Fetches the code that draws charts when the chart's place comes near the visible part of the page. With data saving
 * on, it is fetched on request only.
 */
function useChartFile() {
  const [place, isNear] = useIsNear(chartPart.file() !== undefined);
  const [isAsked, setAsked] = useState(chartPart.file() !== undefined);
  const [isSaving] = useSavingData();
  const { file, failure, retry } = useFetchedPart(chartPart, isNear && (isAsked || !isSaving));
  const ask = isSaving && !isAsked ? () => setAsked(true) : undefined;
  return { place, isNear, file, failure, retry, ask };
}

function Waiting({ isNear, ask }: { isNear: boolean; ask?: (() => void) | undefined }) {
  if (ask)
    return (
      <div className="chart-to-come screen-only">
        <Button onClick={ask} text="Load the chart (250 kB)" />
      </div>
    );
  return isNear ? (
    <div className={`chart-waiting screen-only ${Classes.SKELETON}`} role="status">
      <span className="visually-hidden">Loading…</span>
    </div>
  ) : (
    <div className="chart-to-come screen-only" />
  );
}

/** The number of panels and of horizontal bars, for the style sheet. */
const roomFor = (panels: number, lyingRows = 0) =>
  ({ "--panels": panels, "--pairs": Math.ceil(panels / 2), "--rows": lyingRows }) as CSSProperties;

type ChartSkeletonProps = { series: ChartSeries[]; panels: number };

/** An empty place as high as the chart will be, so that nothing moves when the chart arrives. */
export function ChartSkeleton({ series, panels }: ChartSkeletonProps) {
  const { place, isNear } = useChartFile();
  return (
    <div className="chart-frame stack" ref={place} style={roomFor(panels)}>
      <Legend series={series} />
      <Waiting isNear={isNear} />
    </div>
  );
}

type ChartFrameProps = {
  chart: BarChart;
  label: string;
  /** The id of the element that describes it, such as its period. */
  describedBy?: string;
  onBar?: (bar: Bar) => void;
  /** The figures for paper, where a chart that is not drawn yet cannot be waited for. */
  onPaper?: ReactNode;
};

/**
 * A chart with its legend. The code that draws it is fetched when the chart comes near the visible part of the page.
 */
export function ChartFrame({ chart, label, describedBy, onBar, onPaper }: ChartFrameProps) {
  const { place, isNear, file, failure, retry, ask } = useChartFile();
  const { hidden, toggle } = useHidden(chart.series);
  const instead = useIsPrinting() && !file ? onPaper : undefined;
  if (failure)
    return (
      instead ?? <Failure message="The chart could not be fetched. Its figures are in the table." onRetry={retry} />
    );
  const panels = panelsOf(chart).length;
  const lyingRows = chart.layout === "lying" && panels < 2 ? chart.rows.length : 0;
  return (
    <div className="chart-frame stack" ref={place} style={roomFor(panels, lyingRows)}>
      {chart.layout === "lines" || instead ? null : <Legend hidden={hidden} onToggle={toggle} series={chart.series} />}
      {file ? (
        <file.Chart chart={chart} describedBy={describedBy} hidden={hidden} label={label} onBar={onBar} />
      ) : (
        (instead ?? <Waiting ask={ask} isNear={isNear} />)
      )}
    </div>
  );
}
