import { saveAsFile } from "../network/saveAsFile.ts";
import type { BarChart } from "./barChart.ts";
import { chartPart } from "./ChartFrame.tsx";
import type { ChartHeading } from "./chartSpec.ts";

/** Pictures of a chart, for reports. The code that draws them is fetched separately. */

const nameOf = ({ name }: ChartHeading): string => name.replace(/[^\p{L}\p{N}]+/gu, "-");

/** Opens a PNG in a new tab, or saves it if the browser does not open one. */
export async function openPng(chart: BarChart, heading: ChartHeading): Promise<void> {
  const { chartPng } = await chartPart.load();
  const url = URL.createObjectURL(await chartPng(chart, heading));
  if (window.open(url, "_blank")) return;
  const link = document.createElement("a");
  link.href = url;
  link.download = `${nameOf(heading)}.png`;
  link.click();
}

/** Saves an SVG, which can be enlarged and changed. */
export async function saveSvg(chart: BarChart, heading: ChartHeading): Promise<void> {
  const { chartSvg } = await chartPart.load();
  saveAsFile(`${nameOf(heading)}.svg`, await chartSvg(chart, heading), "image/svg+xml");
}
