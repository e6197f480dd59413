import { Button, Size } from "@blueprintjs/core";
import { useSearchParams } from "react-router-dom";
import type { ListParameterName } from "../../gateway/facility/listFilter.rules.ts";
import { useListAddress } from "../ui/filter/listAddress.ts";

/** Frequent questions as preset filters. */
const questions: { words: string; filters: Partial<Record<ListParameterName, string>> }[] = [
  { words: "Not assessed this fiscal year", filters: { assessedBefore: "THIS_YEAR" } },
  { words: "No data for 90 days", filters: { silent: "yes", noTdbSince: "LAST_90_DAYS" } },
  { words: "Without power", filters: { power: "no" } },
];

/**
 * Frequent questions about a list of facilities, each in one click. A question that the list answers is not there.
 * `isNarrow`: the first one only.
 */
export function OftenAskedControls({ isNarrow = false }) {
  const [url] = useSearchParams();
  const change = useListAddress();
  const asked = questions.slice(0, isNarrow ? 1 : undefined);
  const open = asked.filter(({ filters }) => !Object.keys(filters).some((name) => url.has(name)));
  if (open.length === 0) return null;
  return (
    <div aria-label="Often asked" className="often-asked row is-wide screen-only" role="group">
      {open.map(({ words, filters }) => (
        <Button key={words} onClick={() => change(filters)} size={Size.SMALL} text={words} />
      ))}
    </div>
  );
}
