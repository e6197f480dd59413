import { Button } from "@blueprintjs/core";
import { mostNamedSites } from "../../gateway/facility/namedSites.rules.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { SelectedSitesInput, WorklistKind } from "../gql/graphql.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { useMay } from "../shell/session/viewer.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import type { Selection } from "./useSelection.ts";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { useLast } from "../ui/page/ModalDialog.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import type { Bulk, BulkAsking } from "./bulkAsking.ts";
import { fragment } from "./BulkDoneNotice.tsx";
import "./BulkSection.css";

const buttons = [
  ["assign", "Assign"],
  ["note", "Note"],
  ["snooze", "Snooze"],
  ["partner", "Set partner"],
  ["list", "Add to a field list"],
] as const;

/** Fetched when somebody uses them. */
const assignDialog = fetchedPart(() => import("./AssignSitesDialog.tsx"));
const noteDialog = fetchedPart(() => import("./NoteSitesDialog.tsx"));
const partnerDialog = fetchedPart(() => import("./SetPartnerDialog.tsx"));
const addDialog = fetchedPart(() => import("../fieldList/AddToListDialog.tsx"));
const removeDialog = fetchedPart(() => import("../fieldList/RemoveFromListDialog.tsx"));

type BulkSectionProps = {
  bulk: Bulk;
  selection: Selection;
  /** How many rows the list has, and what stands for all of them. */
  total: number;
  all: SelectedSitesInput;
  /** The kind of the work list, if it is one. */
  kind?: WorklistKind;
  /** The uuid of the field list, if it is one that the person may change. */
  fieldList?: string | undefined;
  /** The file with these sites, or with all. */
  csvOf: (facilityUuids: string[] | undefined) => string;
  /** The list has changed. */
  onDone: () => void;
};

/** What can be done to the selected rows of a list, at the lower edge of the window while rows are selected. */
export function BulkSection({ bulk, selection, total, all, kind, fieldList, csvOf, onDone }: BulkSectionProps) {
  const mayEdit = useMay("editFacility");
  const last = useLast(bulk.asking);
  const dialog = last && {
    asking: last,
    isOpen: bulk.asking !== undefined,
    onClose: () => bulk.ask(undefined),
    onDone: (act: FragmentType<typeof fragment>, listUuid?: string) => {
      bulk.setDone({ ...readFragment(fragment, act), fieldList: listUuid });
      selection.clear();
      onDone();
    },
  };
  const { chosen, isAll } = selection;
  const uuids = [...chosen.keys()];
  const count = isAll ? total : uuids.length;
  const asking = (act: BulkAsking["act"]): BulkAsking => ({
    ...{ act, sites: isAll ? all : { facilityUuids: uuids } },
    what: count === 1 && !isAll ? [...chosen.values()][0]! : counted(count, "site"),
    ...(kind ? { kind } : {}),
    fieldList,
  });
  const unfetched = (message: string) => {
    bulk.ask(undefined);
    showError(message);
  };
  const isOpen = (...acts: BulkAsking["act"][]) => bulk.asking !== undefined && acts.includes(bulk.asking.act);
  return (
    <>
      {count > 0 ? (
        <div aria-label="Selected sites" className="bulk-section row is-spread screen-only" role="region">
          <div className="row">
            <strong aria-live="polite">{formatNumber(count)} selected</strong>
            {isAll || count === total ? null : (
              <Button onClick={selection.selectAll} text={`Select all ${formatNumber(total)}`} variant="minimal" />
            )}
            <Button onClick={selection.clear} text="Clear" variant="minimal" />
          </div>
          <div className="row">
            {mayEdit
              ? buttons.map(([act, text]) => <Button key={act} onClick={() => bulk.ask(asking(act))} text={text} />)
              : null}
            {mayEdit && fieldList ? (
              <Button onClick={() => bulk.ask(asking("unlist"))} text="Remove from the list" />
            ) : null}
            <ExportButton
              href={!isAll && count > mostNamedSites ? undefined : csvOf(isAll ? undefined : uuids)}
              label="of the selected sites"
              text="Export selected"
            />
          </div>
        </div>
      ) : null}
      <FetchedDialog isOpen={isOpen("assign")} onFailure={unfetched} part={assignDialog}>
        {({ AssignSitesDialog }) =>
          dialog?.asking.act === "assign" ? <AssignSitesDialog {...dialog} key={bulk.asked} /> : null
        }
      </FetchedDialog>
      <FetchedDialog isOpen={isOpen("note", "snooze")} onFailure={unfetched} part={noteDialog}>
        {({ NoteSitesDialog }) =>
          dialog?.asking.act === "note" || dialog?.asking.act === "snooze" ? (
            <NoteSitesDialog {...dialog} key={bulk.asked} />
          ) : null
        }
      </FetchedDialog>
      <FetchedDialog isOpen={isOpen("list")} onFailure={unfetched} part={addDialog}>
        {({ AddToListDialog }) =>
          dialog?.asking.act === "list" ? <AddToListDialog {...dialog} key={bulk.asked} /> : null
        }
      </FetchedDialog>
      <FetchedDialog isOpen={isOpen("unlist")} onFailure={unfetched} part={removeDialog}>
        {({ RemoveFromListDialog }) =>
          dialog?.asking.act === "unlist" ? <RemoveFromListDialog {...dialog} key={bulk.asked} /> : null
        }
      </FetchedDialog>
      <FetchedDialog isOpen={isOpen("partner")} onFailure={unfetched} part={partnerDialog}>
        {({ SetPartnerDialog }) =>
          dialog?.asking.act === "partner" ? <SetPartnerDialog {...dialog} key={bulk.asked} /> : null
        }
      </FetchedDialog>
    </>
  );
}
