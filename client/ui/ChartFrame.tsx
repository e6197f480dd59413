import { useEffect, useRef, useState } from "react";
import { Failure } from "./Failure.tsx";
import type { Bar, BarChart, ChartSeries } from "./chartSpec.ts";
import "./ChartFrame.css";

type ChartFile = typeof import("./Chart.tsx");

let loaded: ChartFile | undefined;

/** Fetches what draws charts (once), for whoever is about to show one: it is larger than all the rest of a screen. */
export async function loadChart(): Promise<ChartFile> {
  return (loaded ??= await import("./Chart.tsx"));
}

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
  const [isNear, setNear] = useState(loaded !== undefined);
  const [file, setFile] = useState(loaded);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (isNear || !place.current) return;
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), near);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);

  useEffect(() => {
    if (!isNear || file || failed) return;
    let gone = false;
    loadChart().then(
      (fetched) => gone || setFile(fetched),
      () => gone || setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [isNear, file, failed]);

  return { place, isNear, file, failed, retry: () => setFailed(false) };
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
  const { place, isNear, file, failed, retry } = useChartFile();
  if (failed) return <Failure message="The chart could not be fetched. Its figures are in the table." onRetry={retry} />;
  return (
    <div className="chart-frame" ref={place}>
      <Legend series={chart.series} />
      {file ? <file.Chart chart={chart} describedBy={describedBy} label={label} onBar={onBar} /> : <Waiting isNear={isNear} />}
    </div>
  );
}
