import { formatNumber } from "../ui/text/counted.ts";
import { percent, shareOf, unknownWords } from "./situationFigures.ts";

type Quarter = { periodStart: string; assessed: number; functional: number; notRecordedFunctional: number };
const width = 84;
const height = 24;

/** The functional share over the quarters as a small line, with the same in words. Quarters before the first visit have no point. */
export function TrendChart({ quarters }: { quarters: readonly Quarter[] }) {
  const shares = quarters.map(({ functional, assessed }) => shareOf(functional, assessed));
  const known = shares.flatMap((share, index) => (share === undefined ? [] : [{ x: 2 + (index * (width - 4)) / Math.max(1, shares.length - 1), y: height - 2 - (share * (height - 4)) / 100 }]));
  if (known.length === 0) return <span className="note">–</span>;
  const last = known.at(-1)!;
  const words = quarters.map(({ functional, assessed, notRecordedFunctional: unknown }, index) =>
    assessed === 0 ? "not assessed" : `${percent(shares[index])} (${formatNumber(functional)} of ${formatNumber(assessed)}${unknownWords(unknown)})`,
  );
  return (
    <svg aria-label={`Functional share of the last ${quarters.length} quarters: ${words.join(", ")}`} className="situation-trend" height={height} role="img" viewBox={`0 0 ${width} ${height}`} width={width}>
      <polyline points={known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} />
      <circle cx={last.x} cy={last.y} r="2" />
    </svg>
  );
}
