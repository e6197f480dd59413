import { useMemo } from "react";

import { AnswerBarChart } from "./AnswerBarChart.tsx";
import type { AnswerMapChartProps } from "./AnswerMapChart.tsx";
import { type ChartChoice, type ChartKind, chartKinds, figuresOf, fittingChart, mostChartSeries } from "./answerChart.ts";
import { mapFiguresOf, placeColumn, positionsOf } from "./answerMap.ts";
import type { AnswerTable } from "./answerTable.ts";
import { useDrawing } from "./useDrawing.ts";

const kindNames: Record<ChartKind, string> = { bar: "Bars", line: "Lines", share: "Shares", map: "Map" };

const loadMap = () => import("./AnswerMapChart.tsx");

function FetchedMap(props: AnswerMapChartProps) {
  const { file, hasFailed, retry } = useDrawing(loadMap);
  if (file) return <file.AnswerMapChart {...props} />;
  if (!hasFailed) return <p role="status">Loading…</p>;
  return (
    <p role="alert">
      The map could not be fetched. Its figures are in the table.{" "}
      <button onClick={retry} type="button">
        Try again
      </button>
    </p>
  );
}

type FiguresProps = { table: AnswerTable; choice: ChartChoice; onChoice: (choice: ChartChoice) => void };

/** A choice of the figures: several for a chart, one for a map. */
function FiguresField({ table, choice, onChoice }: FiguresProps) {
  const isMap = choice.kind === "map";
  const figures = isMap ? mapFiguresOf(table) : figuresOf(table);
  if (figures.length === 0) return null;
  return (
    <fieldset key={isMap ? "one" : "some"}>
      <legend>{isMap ? "Colour by" : "Figures"}</legend>
      {figures.map((name) => {
        const isDrawn = isMap ? choice.of[0] === name : choice.of.includes(name);
        const others = isDrawn ? choice.of.filter((each) => each !== name) : figures.filter((each) => each === name || choice.of.includes(each));
        const of = isMap ? [name] : others;
        return (
          <label key={name}>
            <input checked={isDrawn} disabled={of.length === 0 || of.length > mostChartSeries} name={isMap ? "answer-figure" : undefined} onChange={() => onChoice({ ...choice, of })} type={isMap ? "radio" : "checkbox"} /> {name}
          </label>
        );
      })}
    </fieldset>
  );
}

type AnswerChartProps = {
  title: string;
  /** shown below the title of a picture */
  notes: string[];
  table: AnswerTable;
  sort: string | undefined;
  choice: Partial<ChartChoice>;
  onChoice: (choice: ChartChoice) => void;
  /** the address of this chart */
  link: string;
};

/** A table as a bar, line or share chart or a map, with its address and a picture (PNG). */
export function AnswerChart({ title, notes, table, sort, choice: asked, onChoice, link }: AnswerChartProps) {
  const choice = useMemo(() => fittingChart(table, asked), [table, asked]);
  if (!choice) return <p className="answer-note">This answer has no figures to draw. Ask for a number: totalCount, facilities, a mean.</p>;
  const isMap = choice.kind === "map";
  const named = isMap && !positionsOf(table) ? [placeColumn(choice.by)] : choice.by;
  const byText = named.join(",");
  const names = table.columns.map(({ name }) => name);
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
          {isMap ? "Places" : "Along the axis"}{" "}
          <select value={byText} onChange={({ currentTarget }) => onChoice({ ...choice, by: currentTarget.value.split(",") })}>
            {!names.includes(byText) && <option value={byText}>{named.join(" and ")}</option>}
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <FiguresField choice={choice} onChoice={onChoice} table={table} />
      </div>
      {isMap ? (
        <FetchedMap choice={choice} link={link} notes={notes} table={table} title={title} />
      ) : (
        <AnswerBarChart choice={choice} link={link} notes={notes} sort={sort} table={table} title={title} />
      )}
    </div>
  );
}
