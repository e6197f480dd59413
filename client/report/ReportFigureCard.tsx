import { Card } from "@blueprintjs/core";
import { ChangeNote } from "../situation/ChangeNote.tsx";
import { countedBy, type Figure, figureWords } from "../situation/situationFigures.ts";
import { percent, shareOf } from "../ui/chart/small/shares.ts";
import { TrendChart } from "../situation/TrendChart.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import type { ReportFigures } from "./reportFigures.ts";

/** One of the four figures of a report, with its whole, its change in the quarter and its target. */
export function ReportFigureCard({
  figure,
  figures: { quarters, target },
}: {
  figure: Figure;
  figures: ReportFigures;
}) {
  const { label } = figureWords[figure];
  const counts = quarters.map((quarter) => countedBy(figure, quarter));
  const [before, now] = counts.slice(-2) as [(typeof counts)[number], (typeof counts)[number]];
  const notes = [
    ...(figure === "functional" && target != null ? [`Target ${target} %`] : []),
    ...(now.notRecorded === 0 ? [] : [`${formatNumber(now.notRecorded)} not recorded`]),
  ];
  return (
    <Card aria-label={label} className="situation-tile stack is-close" compact role="group">
      <div className="situation-tile-head">
        <span className="situation-tile-label">{label}</span>
      </div>
      {now.of === 0 ? (
        <p className="note">
          {figure === "recent" ? "No site should send TDBs yet." : "No site was assessed by then."}
        </p>
      ) : (
        <>
          <p className="situation-tile-figure">
            <span className="situation-tile-share">{percent(shareOf(now.value, now.of))}</span>{" "}
            <span className="situation-count">{formatNumber(now.value)}</span> of {formatNumber(now.of)}
          </p>
          <TrendChart label={label} quarters={counts} target={figure === "functional" ? target : null} />
          <ChangeNote change={now.value - before.value} since={quarters.at(-1)!.periodStart} />
          {notes.length > 0 ? <p className="note">{notes.join(" · ")}</p> : null}
        </>
      )}
    </Card>
  );
}
