import { Switch } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { ChoiceField } from "../dash/ChoiceField.tsx";
import { DocumentScopeControls } from "../dash/DocumentScopeControls.tsx";
import { useScopeNames } from "../dash/useScopeNames.ts";
import { type ModeScope, routes } from "../routes.ts";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { type Group, readScope, viewParameters, type WorklistView } from "./worklistAddress.ts";

const showWords = { open: "Open", snoozed: "Snoozed", all: "All" };
const shows = ["open", "snoozed", "all"] as const;

/** What is listed, in words, for a printed list. */
export const viewWords = ({ show, isMine, group }: WorklistView): string[] => [
  showWords[show],
  ...(isMine ? ["Mine"] : []),
  ...(group ? [`By ${group}`] : []),
];

const groupWords: { value: Group | ""; label: string }[] = [
  { value: "", label: "Not grouped" },
  { value: "partner", label: "By partner" },
  { value: "district", label: "By district" },
];

type WorklistViewControlsProps = {
  kind: string;
  scope: ModeScope;
  view: WorklistView;
  /** Whether the person may see actions: without them nothing is anybody's. */
  hasMine: boolean;
  /** Tasks are neither snoozed nor grouped. */
  isOfTasks?: boolean;
  /** Other actions of the list. */
  children?: ReactNode;
};

/** The scope bar of the work list: the place and the partner, which entries are listed, and how they are grouped. */
export function WorklistViewControls({
  kind,
  scope,
  view,
  hasMine,
  isOfTasks = false,
  children,
}: WorklistViewControlsProps) {
  const change = useListAddress();
  const [url] = useSearchParams();
  const chosen = readScope(url);
  const names = useScopeNames(chosen.scope, chosen.partner);
  const { show, isMine, group } = view;
  return (
    <DocumentScopeControls
      {...chosen}
      names={names}
      partnerParameter="implementingPartnerId"
      set={[show !== "open", isMine, group !== undefined].filter(Boolean).length}
    >
      {isOfTasks ? null : (
        <nav aria-label="Which entries" className="worklist-shows row">
          {shows.map((one) => (
            <Link
              aria-current={one === show ? "page" : undefined}
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
          checked={isMine}
          className="worklist-mine"
          inline
          label="Mine"
          onChange={({ currentTarget }) => change({ mine: currentTarget.checked ? "yes" : "" })}
        />
      ) : null}
      {isOfTasks ? null : (
        <ChoiceField
          isInline
          label="Group by"
          onChange={(value) => change({ group: value })}
          options={groupWords}
          value={group ?? ""}
        />
      )}
      {children}
    </DocumentScopeControls>
  );
}

/** The keys of the list. `hasActs`: whether n and s do something. */
export function WorklistKeys({ hasActs = false }: { hasActs?: boolean }) {
  return (
    <p className="note worklist-keys screen-only">
      Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous
      {hasActs ? (
        <>
          , <kbd>n</kbd> note, <kbd>s</kbd> snooze
        </>
      ) : null}
    </p>
  );
}
