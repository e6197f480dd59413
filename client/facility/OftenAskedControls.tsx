import { Button, Size } from "@blueprintjs/core";
import { useSearchParams } from "react-router-dom";
import { fiscalYearOf, yearStart } from "../../gateway/calendar/fiscal.rules.ts";
import type { ListParameterName } from "../../gateway/facility/listFilter.rules.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { daysAfter } from "../ui/text/dates.ts";

const silentDays = 90;

/** Frequent questions as preset filters, so that nobody has to work out a day. */
const questionsAt = (today: string): { words: string; filters: Partial<Record<ListParameterName, string>> }[] => [
  { words: "Not assessed this fiscal year", filters: { assessedBefore: yearStart(fiscalYearOf(today)) } },
  // A site is silent for as many days as have passed since its last TDB was created.
  { words: `No data for ${silentDays} days`, filters: { silent: "yes", noTdbSince: daysAfter(today, 1 - silentDays) } },
  { words: "Without power", filters: { power: "no" } },
];

/**
 * Frequent questions about a list of facilities, each in one click. A question that the list answers is not there.
 * `isNarrow`: the first one only.
 */
export function OftenAskedControls({ isNarrow = false }) {
  const [url] = useSearchParams();
  const { today } = useSystem();
  const change = useListAddress();
  const asked = questionsAt(today).slice(0, isNarrow ? 1 : undefined);
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
