import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { VegaEmbed } from "react-vega";
import { parse, View } from "vega";
import type { EmbedOptions, Result } from "vega-embed";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { type Bar, type BarChart, withoutSeries } from "./barChart.ts";
import { chartHeight, chartSpec, pictureWidth } from "./chartSpec.ts";
import type { ChartHeading } from "./chartSpec.ts";
import { onPage } from "./palette.ts";
import type { ChartPalette } from "./palette.ts";
import { moveAmong } from "./moveAmong.ts";
import "./Chart.css";

const pictureScale = 1.5;

/**
 * The page's policy allows neither eval nor style elements: expressions are interpreted, styles come from Chart.css.
 */
const options: EmbedOptions = {
  mode: "vega-lite",
  actions: false,
  renderer: "svg",
  ast: true,
  expr: expressionInterpreter,
  defaultStyle: false,
  tooltip: { disableDefaultStyle: true },
};

const tokenOf = (element: Element, name: string): string => getComputedStyle(element).getPropertyValue(name).trim();

/** An exported picture has no style sheet, so it uses the values that the variables have in print. */
function paperPalette(): ChartPalette {
  const paper = document.body.appendChild(document.createElement("div"));
  paper.className = "chart-paper";
  paper.hidden = true;
  const palette = Object.fromEntries(
    Object.entries(onPage).map(([name, token]) => [name, tokenOf(paper, token.slice("var(".length, -1))]),
  );
  paper.remove();
  return palette as ChartPalette;
}

function useWidth(): [ref: React.RefObject<HTMLDivElement | null>, width: number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!ref.current) return;
    // On paper the drawing of the screen is made to fit: a new one would come after the print.
    const observer = new ResizeObserver(([entry]) => {
      if (!matchMedia("print").matches) setWidth(Math.floor(entry?.contentRect.width ?? 0));
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** Vega does not remove its tooltip when a chart is removed. */
const removeTooltip = () => document.getElementById("vg-tooltip-element")?.remove();

type Drawn = SVGPathElement & { __data__?: { datum?: { row?: unknown; isBand?: boolean } } };

/** The bars of a drawing, or the points of its lines, in the order of their rows. Vega keeps the data of each in its element. */
const barsOf = (drawing: Element): Drawn[] =>
  [...drawing.querySelectorAll<Drawn>(":is(.mark-rect, .mark-symbol).role-mark > path")].filter(
    ({ __data__: item }) => {
      return typeof item?.datum?.row === "number" && !item.datum.isBand;
    },
  );

/** Shows the tooltip of a bar as if the mouse pointed at it; Vega has none for the keyboard. */
function pointAt(bar: Element, type: "pointermove" | "pointerout"): void {
  const { x, y, width, height } = bar.getBoundingClientRect();
  bar.dispatchEvent(
    new PointerEvent(type, { bubbles: true, clientX: x + width / 2, clientY: y + Math.min(height / 2, 24) }),
  );
}

/** The bars are reached as other drawings are; Enter is a click. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const bars = barsOf(event.currentTarget);
  if (event.key === "Enter" && bars.includes(event.target as Drawn))
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  moveAmong(bars, event);
}

type ChartProps = {
  chart: BarChart;
  /** The text alternative of the drawing. The figures themselves belong in a table beside it. */
  label: string;
  describedBy?: string;
  onBar?: (bar: Bar) => void;
  /** The labels of the series that are not drawn. */
  hidden: readonly string[];
};

/**
 * A bar chart drawn by Vega, as wide as its container, in the theme's colours. Import this file lazily: with Vega it is
 * nearly a megabyte.
 */
export function Chart({ chart, label, describedBy, onBar, hidden }: ChartProps) {
  const [ref, width] = useWidth();
  const clickable = onBar !== undefined;
  const drawn = useMemo(() => withoutSeries(chart, hidden), [chart, hidden]);
  const spec = useMemo(() => {
    const palette = { ...onPage, font: tokenOf(document.documentElement, "--font") };
    return chartSpec(drawn, palette, { width, clickable });
  }, [drawn, width, clickable]);
  const latest = useRef<(bar: Bar) => void>(undefined);
  useEffect(() => {
    latest.current = ({ row, series }) => onBar?.({ row, series: chart.series.indexOf(drawn.series[series]!) });
  });
  useEffect(() => {
    return removeTooltip;
  }, [spec]);

  const listen = ({ view }: Result) => {
    view.addEventListener("click", (_, item) => {
      if (!item || !["rect", "symbol"].includes(item.mark.marktype)) return;
      if (typeof item.datum?.row !== "number" || item.datum.isBand) return;
      latest.current?.({ row: item.datum.row, series: item.datum.one });
    });
    for (const [at, bar] of barsOf(ref.current!).entries()) {
      bar.tabIndex = at === 0 ? 0 : -1;
      bar.setAttribute("role", clickable ? "link" : "img");
    }
  };

  return (
    <div className="chart-drawing" ref={ref} role="group" aria-describedby={describedBy} aria-label={label}>
      {width > 0 ? (
        <div
          onBlur={({ target }) => pointAt(target, "pointerout")}
          onFocus={({ target }) => pointAt(target, "pointermove")}
          onKeyDown={onKeyDown}
          role="presentation"
        >
          <VegaEmbed onEmbed={listen} options={options} spec={spec} style={{ minHeight: chartHeight(drawn, width) }} />
        </div>
      ) : null}
    </div>
  );
}

/** Has Vega draw a picture of the chart on white paper, with a heading that says what it shows. */
async function drawn<Picture>(
  chart: BarChart,
  palette: ChartPalette,
  heading: ChartHeading,
  draw: (view: View) => Promise<Picture>,
): Promise<Picture> {
  const { spec } = compile(chartSpec(chart, palette, { width: pictureWidth, heading }));
  const view = new View(parse(spec, undefined, { ast: true }), { renderer: "none", expr: expressionInterpreter });
  try {
    return await draw(view);
  } finally {
    view.finalize();
  }
}

/** A picture of the chart for a page. */
export async function chartPng(chart: BarChart, heading: ChartHeading): Promise<Blob> {
  const image = await drawn(chart, paperPalette(), heading, (view) => view.toImageURL("png", pictureScale));
  const bytes = Uint8Array.from(atob(image.slice(image.indexOf(",") + 1)), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: "image/png" });
}

/** A drawing of the chart for other programs. Its fonts have the same widths on all systems. */
export const chartSvg = (chart: BarChart, heading: ChartHeading): Promise<string> =>
  drawn(chart, { ...paperPalette(), font: "Arial, Liberation Sans, Helvetica, sans-serif" }, heading, (view) =>
    view.toSVG(),
  );
