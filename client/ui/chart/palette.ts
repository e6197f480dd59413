import type { ChartTone } from "./barChart.ts";

/** The colours and the font of a chart. */
export type ChartPalette = Record<
  | "deep"
  | "accent"
  | "light"
  | "neutral"
  | "onNeutral"
  | "bad"
  | "ink"
  | "inkSoft"
  | "line"
  | "lineStrong"
  | "surface"
  | "font",
  string
>;

/**
 * Colours on the page are CSS variables, so the chart follows the theme and the print styles without being drawn again.
 */
export const onPage: ChartPalette = {
  deep: "var(--chart-deep)",
  accent: "var(--chart-accent)",
  light: "var(--chart-light)",
  neutral: "var(--chart-neutral)",
  onNeutral: "var(--chart-on-neutral)",
  bad: "var(--bad)",
  ink: "var(--ink)",
  inkSoft: "var(--ink-soft)",
  line: "var(--line)",
  lineStrong: "var(--line-strong)",
  surface: "var(--surface)",
  font: "var(--font)",
};

/** The colours of a series' bars and of its mark in the legend. */
export function paint(tone: ChartTone, palette: ChartPalette): { fill: string; stroke: string } {
  if (tone === "accentHollow") return { fill: palette.surface, stroke: palette.accent };
  if (tone === "neutralHollow") return { fill: palette.surface, stroke: palette.neutral };
  // Transparent: the background behind it marks that nobody was counted.
  if (tone === "hollow") return { fill: "transparent", stroke: palette.lineStrong };
  if (tone === "soft") return { fill: palette.line, stroke: palette.neutral };
  return { fill: palette[tone], stroke: palette[tone] };
}
