import { formatNumber } from "../ui/text/counted.ts";
import { type Counted, percent, shareOf, unknownWords } from "./situationFigures.ts";

const width = 84;
const height = 24;

/** A share over the quarters as a small line, with the same in words. Quarters in which the whole is zero have no point. */
export function TrendChart({ label, quarters }: { label: string; quarters: readonly Counted[] }) {
  const shares = quarters.map(({ value, of }) => shareOf(value, of));
  const known = shares.flatMap((share, index) =>
    share === undefined
      ? []
      : [
          {
            x: 2 + (index * (width - 4)) / Math.max(1, shares.length - 1),
            y: height - 2 - (share * (height - 4)) / 100,
          },
        ],
  );
  if (known.length === 0) return <span className="note">–</span>;
  const last = known.at(-1)!;
  const words = quarters.map(({ value, of, notRecorded }, index) =>
    of === 0
      ? "none"
      : `${percent(shares[index])} (${formatNumber(value)} of ${formatNumber(of)}${unknownWords(notRecorded)})`,
  );
  return (
    <svg
      aria-label={`${label} in the last ${quarters.length} quarters: ${words.join(", ")}`}
      className="situation-trend"
      height={height}
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      <polyline points={known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} />
      <circle cx={last.x} cy={last.y} r="2" />
    </svg>
  );
}
