import { useEffect, useMemo, useState } from "react";

import { type AnswerTable, sortedRows } from "./answerTable.ts";
import { type ChartChoice, type ChartKind, chartKinds, chartOf, figuresOf, fittingChart, mostChartRows, mostChartSeries } from "./answerChart.ts";
import "../ui/chart/ChartFrame.css";

type ChartFile = typeof import("../ui/chart/Chart.tsx");

const kindNames: Record<ChartKind, string> = { bar: "Bars", line: "Lines", share: "Shares" };

/** What draws charts is fetched when one is first asked for. */
function useChartFile() {
  const [file, setFile] = useState<ChartFile | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (file || hasFailed) return;
    import("../ui/chart/Chart.tsx").then(setFile, () => setFailed(true));
  }, [file, hasFailed]);
  return { file, hasFailed, retry: () => setFailed(false) };
}

function saveAs(name: string, picture: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

type AnswerChartProps = {
  title: string;
  /** said below the title of a picture */
  notes: string[];
  table: AnswerTable;
  sort: string | undefined;
  choice: Partial<ChartChoice>;
  onChoice: (choice: ChartChoice) => void;
  /** the address that opens this chart again */
  link: string;
};

/** A table as bars, lines or shares, with an address and a picture (PNG). */
export function AnswerChart({ title, notes, table, sort, choice: asked, onChoice, link }: AnswerChartProps) {
  const { file, hasFailed, retry } = useChartFile();
  const [failure, setFailure] = useState("");
  const choice = useMemo(() => fittingChart(table, asked), [table, asked]);
  const chart = useMemo(() => choice && chartOf({ ...table, rows: sortedRows(table, sort) }, choice), [table, sort, choice]);
  if (!choice || !chart) return <p className="answer-note">This answer has no figures to draw. Ask for a number: totalCount, facilities, a mean.</p>;
  const more = table.rows.length - mostChartRows;
  const figures = figuresOf(table);
  const byText = choice.by.join(",");
  const names = table.columns.map(({ name }) => name);

  const picture = async () => {
    setFailure("");
    try {
      if (!file) return;
      saveAs(`${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80)}.png`, await file.chartPicture(chart, { title, notes }));
    } catch {
      setFailure("The picture could not be made.");
    }
  };
  return (
    <div className="answer-chart">
      <div className="answer-choices">
        <label>
          Draw as{" "}
          <select value={choice.kind} onChange={({ currentTarget }) => onChoice({ ...choice, kind: currentTarget.value as ChartKind })}>
            {chartKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindNames[kind]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Along the axis{" "}
          <select value={byText} onChange={({ currentTarget }) => onChoice({ ...choice, by: currentTarget.value.split(",") })}>
            {!names.includes(byText) && <option value={byText}>{choice.by.join(" and ")}</option>}
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>Figures</legend>
          {figures.map((name) => {
            const isDrawn = choice.of.includes(name);
            const of = isDrawn ? choice.of.filter((each) => each !== name) : figures.filter((each) => each === name || choice.of.includes(each));
            return (
              <label key={name}>
                <input checked={isDrawn} disabled={of.length === 0 || of.length > mostChartSeries} onChange={() => onChoice({ ...choice, of })} type="checkbox" /> {name}
              </label>
            );
          })}
        </fieldset>
        <p className="answer-links">
          <a href={link}>Link to this chart</a>
          <button disabled={!file} onClick={() => void picture()} type="button">
            Save as picture (PNG)
          </button>
        </p>
      </div>
      {failure && <p role="alert">{failure}</p>}
      {more > 0 && <p className="answer-note">The first {mostChartRows} of {table.rows.length.toLocaleString("en")} rows are drawn, in the order of the table.</p>}
      {hasFailed && (
        <p role="alert">
          The chart could not be fetched. Its figures are in the table.{" "}
          <button onClick={retry} type="button">
            Try again
          </button>
        </p>
      )}
      <div className="chart-frame">
        {chart.series.length > 1 && (
          <ul className="chart-legend" aria-hidden="true">
            {chart.series.map(({ label, tone }) => (
              <li data-tone={tone} key={label}>
                {label}
              </li>
            ))}
          </ul>
        )}
        {file ? <file.Chart chart={chart} label={`${title}: ${choice.of.join(", ")} by ${choice.by.join(", ")}. The figures are in the table.`} /> : !hasFailed && <p role="status">Loading…</p>}
      </div>
    </div>
  );
}
