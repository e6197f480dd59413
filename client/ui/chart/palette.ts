import type { ChartTone, ModeTone } from "./barChart.ts";

/** The colours and the font of a chart. */
export type ChartPalette = Record<
  | "deep"
  | "accent"
  | "neutral"
  | "onNeutral"
  | ModeTone
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
  neutral: "var(--chart-neutral)",
  onNeutral: "var(--chart-on-neutral)",
  mode1: "var(--mode-1)",
  mode2: "var(--mode-2)",
  mode3: "var(--mode-3)",
  mode4: "var(--mode-4)",
  mode5: "var(--mode-5)",
  mode6: "var(--mode-6)",
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
  // As on the map: the darkest and the lightest are seen on every ground.
  if (tone.startsWith("mode")) return { fill: palette[tone], stroke: palette.inkSoft };
  return { fill: palette[tone], stroke: palette[tone] };
}
