import { useEffect, useState } from "react";
import { Failure } from "./Failure.tsx";
import type { Bar, BarChart, ChartSeries } from "./chartSpec.ts";
import "./ChartFrame.css";

type ChartFile = typeof import("./Chart.tsx");

let loaded: ChartFile | undefined;

/** Fetches what draws charts (once), for whoever is about to show one. */
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

function Waiting() {
  return (
    <div className="chart-waiting" role="status">
      <span className="visually-hidden">Loading…</span>
    </div>
  );
}

/** The place of a chart to come, as high as it will be, so that nothing moves when it arrives. */
export function ChartSkeleton({ series }: { series: ChartSeries[] }) {
  return (
    <div className="chart-frame">
      <Legend series={series} />
      <Waiting />
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

/** A chart with its legend. What draws it is fetched when it is first shown. */
export function ChartFrame({ chart, label, describedBy, onBar }: ChartFrameProps) {
  const [file, setFile] = useState(loaded);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (file || failed) return;
    let gone = false;
    loadChart().then(
      (fetched) => gone || setFile(fetched),
      () => gone || setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [file, failed]);

  if (failed) return <Failure message="The chart could not be fetched. Its figures are in the table." onRetry={() => setFailed(false)} />;
  return (
    <div className="chart-frame">
      <Legend series={chart.series} />
      {file ? <file.Chart chart={chart} describedBy={describedBy} label={label} onBar={onBar} /> : <Waiting />}
    </div>
  );
}
