import { MediaIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { BusyButton } from "../form/BusyButton.tsx";
import type { BarChart } from "./barChart.ts";
import { chartPart } from "./ChartFrame.tsx";
import type { ChartHeading } from "./chartSpec.ts";

/** Opens a picture in a new tab, or saves it if the browser does not open one. */
function open(picture: Blob, fileName: string): void {
  const url = URL.createObjectURL(picture);
  if (window.open(url, "_blank")) return;
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
}

type ChartExportButtonProps = {
  /** Undefined while there is no chart. */
  chart: BarChart | undefined;
  heading: ChartHeading;
  onFailure: () => void;
};

/** Opens a PNG of the chart. */
export function ChartExportButton({ chart, heading, onFailure }: ChartExportButtonProps) {
  const [isDrawing, setDrawing] = useState(false);

  const draw = async () => {
    if (!chart) return;
    setDrawing(true);
    try {
      const { chartPicture } = await chartPart.load();
      const name = [heading.title, ...heading.notes.slice(0, 1)].join(" ").replace(/[^\p{L}\p{N}]+/gu, "-");
      open(await chartPicture(chart, heading), `${name}.png`);
    } catch {
      onFailure();
    } finally {
      setDrawing(false);
    }
  };

  return (
    <BusyButton
      disabled={!chart}
      icon={<MediaIcon />}
      isBusy={isDrawing}
      onClick={() => void draw()}
      size="small"
      text="Export Image"
    />
  );
}
