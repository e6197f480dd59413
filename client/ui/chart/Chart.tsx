import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { VegaEmbed } from "react-vega";
import { parse, View } from "vega";
import type { EmbedOptions, Result } from "vega-embed";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { chartHeight, chartSpec } from "./chartSpec.ts";
import type { Bar, BarChart, ChartHeading, ChartPalette } from "./chartSpec.ts";
import "./Chart.css";

const pictureWidth = 960;
const pictureScale = 1.5;

/** The page's policy allows neither eval nor style elements: expressions are interpreted, styles come from Chart.css. */
const options: EmbedOptions = {
  mode: "vega-lite",
  actions: false,
  renderer: "svg",
  ast: true,
  expr: expressionInterpreter,
  defaultStyle: false,
  tooltip: { disableDefaultStyle: true },
};

function paletteOf(element: Element): ChartPalette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    deep: token("--chart-deep"),
    accent: token("--chart-accent"),
    light: token("--chart-light"),
    neutral: token("--chart-neutral"),
    ink: token("--ink"),
    inkSoft: token("--ink-soft"),
    line: token("--line"),
    lineStrong: token("--line-strong"),
    surface: token("--surface"),
    font: token("--font"),
  };
}

function paperPalette(): ChartPalette {
  const paper = document.body.appendChild(document.createElement("div"));
  paper.className = "chart-paper";
  paper.hidden = true;
  const palette = paletteOf(paper);
  paper.remove();
  return palette;
}

function subscribeToTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
  return () => observer.disconnect();
}

function usePalette(): ChartPalette {
  const theme = useSyncExternalStore(subscribeToTheme, () => document.documentElement.className);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the tokens change with the theme
  return useMemo(() => paletteOf(document.documentElement), [theme]);
}

function useWidth(): [ref: React.RefObject<HTMLDivElement | null>, width: number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** Vega leaves its tooltip behind when a chart goes. */
const removeTooltip = () => document.getElementById("vg-tooltip-element")?.remove();

type ChartProps = {
  chart: BarChart;
  /** Read out in place of the drawing; the figures themselves belong in a table beside it. */
  label: string;
  describedBy?: string;
  onBar?: (bar: Bar) => void;
};

/** A bar chart drawn by Vega, as wide as its place, in the theme's colours. Load this file lazily: it is most of a megabyte. */
export function Chart({ chart, label, describedBy, onBar }: ChartProps) {
  const [ref, width] = useWidth();
  const palette = usePalette();
  const clickable = onBar !== undefined;
  const spec = useMemo(() => chartSpec(chart, palette, { width, clickable }), [chart, palette, width, clickable]);
  const latest = useRef(onBar);
  useEffect(() => {
    latest.current = onBar;
  });
  useEffect(() => removeTooltip, [spec]);

  const listen = ({ view }: Result) =>
    view.addEventListener("click", (_, item) => {
      if (item?.mark.marktype !== "rect" || typeof item.datum?.row !== "number" || item.datum.isBand) return;
      latest.current?.({ row: item.datum.row, series: item.datum.one });
    });

  return (
    <div className="chart-drawing" ref={ref} role="img" aria-describedby={describedBy} aria-label={label}>
      {width > 0 ? <VegaEmbed onEmbed={listen} options={options} spec={spec} style={{ minHeight: chartHeight(chart, width) }} /> : null}
    </div>
  );
}

/** A picture of the chart (PNG) on white paper, with a heading that says what it shows. */
export async function chartPicture(chart: BarChart, heading: ChartHeading): Promise<Blob> {
  const { spec } = compile(chartSpec(chart, paperPalette(), { width: pictureWidth, heading }));
  const view = new View(parse(spec, undefined, { ast: true }), { renderer: "none", expr: expressionInterpreter });
  try {
    const image = await view.toImageURL("png", pictureScale);
    const bytes = Uint8Array.from(atob(image.slice(image.indexOf(",") + 1)), (character) => character.charCodeAt(0));
    return new Blob([bytes], { type: "image/png" });
  } finally {
    view.finalize();
  }
}
