import { countedBy, type Figure, figureWords, unknownWords } from "../situation/situationFigures.ts";
import { percent, shareOf } from "../ui/chart/small/shares.ts";
import { ShareBar } from "../ui/chart/small/ShareBar.tsx";
import { formatNumber } from "../ui/text/counted.ts";

/** A figure in a cell: its share with a bar, and of how many it is. */
export function ReportShareChart({ figure, counts }: { figure: Figure; counts: Parameters<typeof countedBy>[1] }) {
  const { value, of, notRecorded } = countedBy(figure, counts);
  if (of === 0) return "–";
  const share = shareOf(value, of)!;
  return (
    <ShareBar share={share} text={percent(share)} title={`of ${formatNumber(of)} ${figureWords[figure].of}`}>
      <span className="note is-line">
        {formatNumber(value)} of {formatNumber(of)}
        {unknownWords(notRecorded)}
      </span>
    </ShareBar>
  );
}
