import { useEffect, useRef, useState } from "react";
import { Failure } from "./Failure.tsx";
import type { Bar, BarChart, ChartSeries } from "./chartSpec.ts";
import { fetchedPart, useFetchedPart } from "./fetchedPart.ts";
import "./ChartFrame.css";

/** What draws charts, for whoever is about to show one: it is larger than all the rest of a screen. */
export const chartPart = fetchedPart(() => import("./Chart.tsx"));

function Legend({ series }: { series: ChartSeries[] }) {
  if (series.length < 2) return null;
  return (
    <ul className="chart-legend" aria-hidden="true">
      {series.map(({ label, tone }) => (
        <li key={label} data-tone={tone}>
          {label}
        </li>
      ))}
    </ul>
  );
}

const near: IntersectionObserverInit = { rootMargin: "200px 0px" };

/** Fetches what draws charts when the place of one comes near the window: below the end of a phone's screen it may never. */
function useChartFile() {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(chartPart.file() !== undefined);
  const { file, hasFailed, retry } = useFetchedPart(chartPart, isNear);

  useEffect(() => {
    if (isNear || !place.current) return;
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), near);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);

  return { place, isNear, file, hasFailed, retry };
}

function Waiting({ isNear }: { isNear: boolean }) {
  return isNear ? (
    <div className="chart-waiting" role="status">
      <span className="visually-hidden">Loading…</span>
    </div>
  ) : (
    <div className="chart-to-come" />
  );
}

/** The place of a chart to come, as high as it will be, so that nothing moves when it arrives. */
export function ChartSkeleton({ series }: { series: ChartSeries[] }) {
  const { place, isNear } = useChartFile();
  return (
    <div className="chart-frame" ref={place}>
      <Legend series={series} />
      <Waiting isNear={isNear} />
    </div>
  );
}

type ChartFrameProps = {
  chart: BarChart;
  label: string;
  /** The id of what says more about it: its period. */
  describedBy?: string;
  onBar?: (bar: Bar) => void;
};

/** A chart with its legend. What draws it is fetched when it is first about to be seen. */
export function ChartFrame({ chart, label, describedBy, onBar }: ChartFrameProps) {
  const { place, isNear, file, hasFailed, retry } = useChartFile();
  if (hasFailed) return <Failure message="The chart could not be fetched. Its figures are in the table." onRetry={retry} />;
  return (
    <div className="chart-frame" ref={place}>
      <Legend series={chart.series} />
      {file ? <file.Chart chart={chart} describedBy={describedBy} label={label} onBar={onBar} /> : <Waiting isNear={isNear} />}
    </div>
  );
}
