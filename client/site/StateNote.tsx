import { visitText } from "../assessment/visits.ts";
import { now } from "../shell/clock/clock.ts";
import { useSystem } from "../shell/session/viewer.ts";
import type { SiteRow, SiteState } from "./siteRows.ts";

/** The mark of a state, the same in the list, on the map and in its legend: it differs in shape and in colour. */
export function StateMark({ state }: { state: SiteState | "here" }) {
  return (
    <svg aria-hidden="true" className={`state-mark is-${state}`} height="14" viewBox="0 0 14 14" width="14">
      <path d="M7 7h0" />
    </svg>
  );
}

/** The state of a row in words, with its mark. */
export function StateNote({ row: { state, visit } }: { row: SiteRow }) {
  const { timeZone } = useSystem();
  return (
    <span className="state-note">
      <StateMark state={state} /> {visit ? visitText(visit, timeZone, now()) : "To do"}
    </span>
  );
}
