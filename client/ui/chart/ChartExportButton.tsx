import { MediaIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { BusyButton } from "../form/BusyButton.tsx";
import type { BarChart } from "./barChart.ts";
import type { ChartHeading } from "./chartSpec.ts";
import { openPng } from "./pictures.ts";

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
      await openPng(chart, heading);
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
