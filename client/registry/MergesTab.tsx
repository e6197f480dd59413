import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { MergesTabQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { mutate, screenLoader, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query MergesTabQuery {
    facilityMerges { facilityUuid facilityName intoUuid intoName mergedDate undoUntil undoable userName }
  }
`);

export const loader = screenLoader(query, () => ({}));
const undoMutation = graphql(`
  mutation MergesTab_undo($facilityUuid: String!) {
    undoFacilityMerge(facilityUuid: $facilityUuid) { facility { id facilityUuid facilityName } errors { path message } }
  }
`);

type Merge = NonNullable<MergesTabQueryQuery["facilityMerges"]>[number];

const columnsOf = (ask: (merge: Merge) => void): Column<Merge>[] => [
  { id: "name", header: "Merged", rowHeader: true, cell: ({ facilityName }) => facilityName },
  {
    id: "into",
    header: "Into",
    phone: "labelled",
    cell: ({ intoUuid, intoName }) => <Link to={routes.facility(intoUuid)}>{intoName}</Link>,
  },
  { id: "date", header: "On", oneLine: true, phone: "end", cell: ({ mergedDate }) => formatDate(mergedDate) },
  { id: "who", header: "By", cell: ({ userName }) => userName ?? "–" },
  {
    id: "undo",
    header: "Undo",
    cell: (merge) =>
      merge.undoable ? (
        <Button
          aria-label={`Undo the merge of ${merge.facilityName}`}
          onClick={() => ask(merge)}
          text={`Undo (until ${formatDate(merge.undoUntil)})`}
        />
      ) : (
        `Could be undone until ${formatDate(merge.undoUntil)}`
      ),
  },
];

/** Facilities that were merged, the latest first; each can be undone for 30 days. */
export function MergesTab() {
  const answer = useScreenQuery(query, {});
  const [asked, setAsked] = useState<Merge>();
  const undo = async ({ facilityUuid, facilityName }: Merge) => {
    const { data, failure } = await mutate(undoMutation, { facilityUuid });
    const message = failure ?? data?.undoFacilityMerge.errors[0]?.message;
    if (message) return showError(message);
    setAsked(undefined);
    showSuccess(`${facilityName} is a facility of its own again`);
    answer.reload();
  };
  return (
    <QueryState query={answer} what="list of merges">
      {({ facilityMerges }) => (
        <>
          {facilityMerges?.length ? (
            <DataTable
              caption="Merges"
              captionHidden
              columns={columnsOf(setAsked)}
              opensAs={({ facilityName }) => `the merge of ${facilityName}`}
              rowKey={({ facilityUuid }) => facilityUuid}
              rows={facilityMerges}
            />
          ) : (
            <Empty>No facilities were merged.</Empty>
          )}
          <QuestionDialog asked={asked} onClose={setAsked} onConfirm={undo} title="Undo the merge">
            {({ facilityName: name, intoName: into }) =>
              `${name} gets back what it brought to ${into}, as far as that is still there. What was added since stays with ${into}.`
            }
          </QuestionDialog>
        </>
      )}
    </QueryState>
  );
}
