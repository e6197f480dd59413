import { useState } from "react";
import { v7 } from "uuid";
import type { BulkDialogProps } from "../bulk/bulkAsking.ts";
import { graphql } from "../gql/gql.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { mutate } from "../urql.ts";

const mutation = graphql(`
  mutation RemoveFromListDialog_remove($input: SitesOfFieldListInput!) {
    removeSitesFromFieldList(input: $input) {
      bulkAct { ...BulkDoneNotice_BulkAct }
      errors { path message }
    }
  }
`);

/** Takes the sites off the field list that the screen shows. */
export function RemoveFromListDialog({ asking: { sites, what, fieldList }, isOpen, onClose, onDone }: BulkDialogProps) {
  const [bulkActUuid] = useState(() => v7());
  const remove = async () => {
    const { data, failure } = await mutate(
      mutation,
      { input: { bulkActUuid, sites, fieldList: fieldList! } },
      { additionalTypenames: ["Facility", "FacilityGroup", "FieldList"] },
    );
    onClose();
    const problem = failure ?? data?.removeSitesFromFieldList.errors[0]?.message;
    if (problem) return showError(problem);
    if (data?.removeSitesFromFieldList.bulkAct) onDone(data.removeSitesFromFieldList.bulkAct);
  };
  return (
    <QuestionDialog asked={isOpen} onClose={onClose} onConfirm={remove} title={`Remove from the list: ${what}`}>
      The sites themselves and their visits stay. This can be undone for 10 minutes.
    </QuestionDialog>
  );
}
