import { Button, Card, Size } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { FacilityActionsSection_QueryFragment } from "../gql/graphql.ts";
import { actionLimits } from "../../gateway/assessment/visitActions.rules.ts";
import { useMay } from "../shell/session/viewer.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { ReasonDialog } from "../ui/form/ReasonDialog.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { NeedsNetworkNote } from "../ui/notice/NeedsNetworkNote.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { useLast } from "../ui/page/ModalDialog.tsx";
import { mutate, rowsFrom, screenLoader, type ScreenQuery, useListWithin } from "../urql.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { ActionCard } from "./ActionCard.tsx";
import "./FacilityActionsSection.css";

const fragment = graphql(`
  fragment FacilityActionsSection_Query on Query {
    actions(facilityUuid: $facilityUuid, first: $first, offset: $offset) {
      totalCount
      nodes {
        id actionUuid version text state responsible dueDay agreedDate
        implementingPartner { id implementingPartnerId implementingPartner }
        ...ActionCard_Action
      }
    }
  }
`);
const query = graphql(`
  query FacilityActionsSectionQuery($facilityUuid: String!, $first: Int = 10, $offset: Int) {
    ...FacilityActionsSection_Query
  }
`);
const closeMutation = graphql(`
  mutation FacilityActionsSection_close($input: CloseActionInput!) {
    closeAction(input: $input) {
      action { id version facility { id } ...ActionCard_Action }
      errors { path message }
    }
  }
`);
const reopenMutation = graphql(`
  mutation FacilityActionsSection_reopen($input: ReopenActionInput!) {
    reopenAction(input: $input) {
      action { id version ...ActionCard_Action }
      errors { path message }
    }
  }
`);

const pageName = "actionPage";
/** For the section's own query. The first page comes with the screen's answer. */
const read = (facilityUuid: string, url: URLSearchParams) => {
  const offset = offsetOf(url, pageName);
  return offset > 0 ? { facilityUuid, offset } : undefined;
};
export const loader = screenLoader(query, ({ params, url }) => read(params.facilityUuid ?? "", url));

type Data = FragmentType<typeof fragment>;
type Row = NonNullable<FacilityActionsSection_QueryFragment["actions"]>["nodes"][number];

const listOf = (data: Data) => readFragment(fragment, data).actions;

type FacilityActionsProps = {
  /** The screen's answer, which has the first page. */
  first: ScreenQuery<Data>;
  facilityUuid: string;
  facilityName: string;
  /** A visit of the facility waits on this device: once it is sent, its actions are there. */
  isVisitWaiting: boolean;
};

/** What was agreed to mend something at a facility: open actions first, with buttons for who may close them. */
export function FacilityActionsSection({ first, facilityUuid, facilityName, isVisitWaiting }: FacilityActionsProps) {
  const [url] = useSearchParams();
  const answer = useListWithin(first, query, read(facilityUuid, url), listOf);
  const fetchFrom = rowsFrom(query, { facilityUuid }, (data) => listOf(data)?.nodes);
  // The network's return asks for the actions and sends the visit at once, in any order.
  const { reload } = answer;
  const wasWaiting = useRef(isVisitWaiting);
  useEffect(() => {
    if (wasWaiting.current && !isVisitWaiting) reload();
    wasWaiting.current = isVisitWaiting;
  });
  const mayAgree = useMay("editAssessments");
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Row>();
  const dropped = useLast(asked);
  const [changing, setChanging] = useState<Row>();
  const changed = useLast(changing);
  const close = async ({ actionUuid, version }: Row, state: "DONE" | "DROPPED", reason: string | null) => {
    const { data, failure } = await mutate(closeMutation, { input: { actionUuid, version, state, reason } });
    const refusal = failure ?? data?.closeAction.errors[0]?.message;
    answer.reload();
    if (!refusal) showSuccess(state === "DONE" ? "The action is done" : "The action was dropped");
    return refusal;
  };
  const finish = async (row: Row) => {
    const refusal = await close(row, "DONE", null);
    if (refusal) showError(refusal);
  };
  const reopen = async ({ actionUuid, version }: Row) => {
    const { data, failure } = await mutate(reopenMutation, { input: { actionUuid, version } });
    const refusal = failure ?? data?.reopenAction.errors[0]?.message;
    answer.reload();
    if (refusal) showError(refusal);
    else showSuccess("The action is open again");
  };
  const buttonsOf = (row: Row) => {
    const button = (word: string, act: () => void) => (
      <Button aria-label={`${word}: ${row.text}`} onClick={act} size={Size.SMALL} text={word} />
    );
    if (row.state !== "OPEN") return button("Open again", () => void reopen(row));
    return (
      <>
        {button("Done", () => void finish(row))}
        {button("Change", () => setChanging(row))}
        {button("Drop", () => setAsked(row))}
      </>
    );
  };
  return (
    <Card aria-labelledby="facility-actions" className="facility-actions stack" role="region">
      <div className="row is-spread">
        <h2 id="facility-actions">Actions agreed</h2>
        {mayAgree && answer.data ? (
          <Button className="screen-only" icon={<AddIcon />} onClick={() => setAdding(true)} text="Add action" />
        ) : null}
      </div>
      <QueryState
        query={answer}
        what="list of actions"
        offline={
          <NeedsNetworkNote heading="Actions need the network" onRetry={answer.reload}>
            This device does not have them. What is agreed at a new visit is entered with the visit.
          </NeedsNetworkNote>
        }
      >
        {(list) => (
          <PagedList
            empty="No action is agreed at this facility."
            fetchFrom={fetchFrom}
            label="Pages of actions"
            list={list}
            pageName={pageName}
          >
            {(rows) => (
              <ul className="plain stack">
                {rows.map((row) => (
                  <ActionCard action={row} key={row.id}>
                    {mayAgree ? <span className="row screen-only">{buttonsOf(row)}</span> : null}
                  </ActionCard>
                ))}
              </ul>
            )}
          </PagedList>
        )}
      </QueryState>
      {mayAgree ? (
        <ActionDialog
          facilityName={facilityName}
          facilityUuid={facilityUuid}
          isOpen={isAdding}
          onClose={() => setAdding(false)}
          onSaved={answer.reload}
        />
      ) : null}
      {changed ? (
        <ActionDialog
          changed={changed}
          facilityName={facilityName}
          facilityUuid={facilityUuid}
          isOpen={changing !== undefined}
          key={`${changed.actionUuid} ${changed.version}`}
          onClose={() => setChanging(undefined)}
          onSaved={answer.reload}
        />
      ) : null}
      {dropped ? (
        <ReasonDialog
          about={dropped.text}
          action="Drop action"
          isOpen={asked !== undefined}
          key={dropped.actionUuid}
          label="Why it is not to be done any more"
          maxLength={actionLimits.reason}
          onClose={() => setAsked(undefined)}
          onReason={async (reason) => {
            const refusal = await close(dropped, "DROPPED", reason);
            if (!refusal) setAsked(undefined);
            return refusal;
          }}
        />
      ) : null}
    </Card>
  );
}
