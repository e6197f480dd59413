import { SpokenDrawing } from "../ui/chart/small/SpokenDrawing.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { type Counted, unknownWords } from "./situationFigures.ts";
import { percent, shareOf } from "../ui/chart/small/shares.ts";

const width = 84;
const height = 24;
const heightAt = (share: number): number => height - 2 - (share * (height - 4)) / 100;

type TrendChartProps = {
  label: string;
  quarters: readonly Counted[];
  /** in percent */
  target?: number | null | undefined;
};

/** A share over the quarters as a small line, from 0 to 100 %. Quarters in which the whole is zero have no point. */
export function TrendChart({ label, quarters, target }: TrendChartProps) {
  const known = quarters.flatMap(({ value, of, notRecorded }, index) => {
    const share = shareOf(value, of);
    if (share === undefined) return [];
    const ago = quarters.length - 1 - index;
    const when = ago === 0 ? "Now" : `${counted(ago, "quarter")} ago`;
    return {
      x: 2 + (index * (width - 4)) / Math.max(1, quarters.length - 1),
      y: heightAt(share),
      ...{ from: 0, to: height },
      said: `${when}: ${percent(share)} (${formatNumber(value)} of ${formatNumber(of)}${unknownWords(notRecorded)})`,
    };
  });
  if (known.length === 0) return <span className="note">–</span>;
  const [first, last] = [known[0]!, known.at(-1)!];
  const line = known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return (
    <SpokenDrawing
      className="situation-trend"
      first={known.length - 1}
      height={height}
      preserveAspectRatio="none"
      label={`${label} in the last ${quarters.length} quarters`}
      points={known}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      <polygon points={`${first.x},${height} ${line} ${last.x},${height}`} />
      {target == null ? null : <path className="situation-trend-target" d={`M0 ${heightAt(target)}H${width}`} />}
      <polyline points={line} />
      <path className="situation-trend-end" d={`M${last.x} ${last.y}h0`} />
    </SpokenDrawing>
  );
}
