import { ArrowDownIcon, ArrowUpIcon } from "@blueprintjs/icons";
import { formatDate } from "../ui/text/dates.ts";
import { signed } from "./situationFigures.ts";

/** The change of a figure since a day, as an arrow, a number and a word. */
export function ChangeNote({ change, since }: { change: number; since: string }) {
  if (change === 0) return <p className="note">no change since {formatDate(since)}</p>;
  const [Arrow, word, className] = change > 0 ? [ArrowUpIcon, "better", "good"] : [ArrowDownIcon, "worse", "bad"];
  return (
    <p className="note">
      <span className={className}>
        <Arrow size={12} /> {signed(change)}
      </span>{" "}
      since {formatDate(since)}, <span className={className}>{word}</span>
    </p>
  );
}
