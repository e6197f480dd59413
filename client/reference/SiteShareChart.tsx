import { percent, shareOf } from "../ui/chart/small/shares.ts";
import { ShareBar } from "../ui/chart/small/ShareBar.tsx";
import { formatNumber } from "../ui/text/counted.ts";

type SiteShareChartProps = {
  value: number | undefined;
  of: number | undefined;
  /** what the sites are, after "3 of 5" */
  words: string;
};

/** A part of the sites of a partner or district. Empty while the figures are on their way, and where nothing is counted. */
export function SiteShareChart({ value, of, words }: SiteShareChartProps) {
  const part = shareOf(value, of);
  if (part === undefined) return <ShareBar share={0} text="–" title="Not known" />;
  return (
    <ShareBar share={part} text={percent(part)} title={`${formatNumber(value!)} of ${formatNumber(of!)} ${words}`} />
  );
}
