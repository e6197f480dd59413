import { HTMLSelect, Switch } from "@blueprintjs/core";
import { type ReactNode, useId } from "react";
import { Link } from "react-router-dom";
import { type ModeScope, routes } from "../../routes.ts";
import { useListAddress } from "../../ui/filter/listAddress.ts";
import { viewParameters, type WorklistView } from "./worklistAddress.ts";

const showWords = { open: "Open", snoozed: "Snoozed", all: "All" };
const shows = ["open", "snoozed", "all"] as const;

/** What is listed, in words, for a printed list. */
export const viewWords = ({ show, isMine, group }: WorklistView): string[] => [
  showWords[show],
  ...(isMine ? ["Mine"] : []),
  ...(group ? [`By ${group}`] : []),
];

type WorklistViewControlsProps = {
  kind: string;
  scope: ModeScope;
  view: WorklistView;
  /** Whether the person may see actions: without them nothing is anybody's. */
  hasMine: boolean;
  /** Tasks are neither snoozed nor grouped. */
  isOfTasks?: boolean;
  /** Whether n and s do something. */
  hasActs?: boolean;
  /** Other actions of the list. */
  children?: ReactNode;
};

/** Which entries are listed, and how they are grouped. */
export function WorklistViewControls({
  kind,
  scope,
  view,
  hasMine,
  isOfTasks = false,
  hasActs = false,
  children,
}: WorklistViewControlsProps) {
  const id = useId();
  const change = useListAddress();
  return (
    <div className="worklist-view row screen-only">
      {isOfTasks ? null : (
        <nav aria-label="Which entries" className="worklist-shows row">
          {shows.map((one) => (
            <Link
              aria-current={one === view.show ? "page" : undefined}
              key={one}
              to={routes.worklist(kind, { ...scope, ...viewParameters({ ...view, show: one }) })}
            >
              {showWords[one]}
            </Link>
          ))}
        </nav>
      )}
      {hasMine ? (
        <Switch
          checked={view.isMine}
          className="worklist-mine"
          inline
          label="Mine"
          onChange={({ currentTarget }) => change({ mine: currentTarget.checked ? "yes" : "" })}
        />
      ) : null}
      {isOfTasks ? null : (
        <span className="list-choice note row">
          <label htmlFor={id}>Group by</label>
          <HTMLSelect
            id={id}
            onChange={({ currentTarget }) => change({ group: currentTarget.value })}
            options={[
              { value: "", label: "Nothing" },
              { value: "partner", label: "Partner" },
              { value: "district", label: "District" },
            ]}
            value={view.group ?? ""}
          />
        </span>
      )}
      {children}
      <span className="note worklist-keys">
        Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous
        {hasActs ? (
          <>
            , <kbd>n</kbd> note, <kbd>s</kbd> snooze
          </>
        ) : null}
      </span>
    </div>
  );
}
