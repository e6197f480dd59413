import { useEffect, useState } from "react";
import { Failure } from "./Failure.tsx";
import type { BarChart } from "./chartSpec.ts";
import "./ChartFrame.css";

type ChartFile = typeof import("./Chart.tsx");

let loaded: ChartFile | undefined;

/** Fetches what draws charts (once), for whoever is about to show one. */
export async function loadChart(): Promise<ChartFile> {
  return (loaded ??= await import("./Chart.tsx"));
}

/** An empty place of a chart's height, so that nothing moves when the chart arrives. */
export function ChartSkeleton() {
  return (
    <div className="chart-skeleton" role="status">
      <span className="visually-hidden">Loading…</span>
    </div>
  );
}

type ChartFrameProps = {
  chart: BarChart;
  label: string;
  onBar?: (bar: { row: number; series: number }) => void;
};

/** A chart with its legend. What draws it is fetched when it is first shown. */
export function ChartFrame({ chart, label, onBar }: ChartFrameProps) {
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
      {chart.series.length > 1 ? (
        <ul className="chart-legend" aria-hidden="true">
          {chart.series.map(({ label: name, tone }) => (
            <li key={name} data-tone={tone}>
              {name}
            </li>
          ))}
        </ul>
      ) : null}
      {file ? <file.Chart chart={chart} label={label} onBar={onBar} /> : <ChartSkeleton />}
    </div>
  );
}
