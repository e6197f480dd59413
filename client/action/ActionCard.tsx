import type { ReactNode } from "react";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { routes } from "../routes.ts";
import { worklistTitles, kindOf } from "./worklistKinds.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { dueWords, responsibleWords } from "./actionWords.ts";

const fragment = graphql(`
  fragment ActionCard_Action on Action {
    id
    actionUuid
    facilityUuid
    text
    responsible
    implementingPartner { id implementingPartner }
    dueDay
    overdueDays
    origin
    assessmentUuid
    kind
    agreedBy
    agreedDate
    state
    closedDate
    closedBy
    reason
    closingAssessmentUuid
  }
`);
type ActionCardProps = { action: FragmentType<typeof fragment>; children?: ReactNode };

const endWords = { OPEN: "", DONE: "Done", DROPPED: "Dropped" };

/** One action in a list, with the buttons that are given. */
export function ActionCard({ action, children }: ActionCardProps) {
  const of = readFragment(fragment, action);
  const { facilityUuid, state, kind, assessmentUuid, closingAssessmentUuid, reason } = of;
  return (
    <li className="action-card stack is-close">
      <span className="action-card-text">{of.text}</span>
      <span>
        {responsibleWords(of)}
        {" · "}
        {state === "OPEN" ? (
          <span className={of.overdueDays ? "bad" : ""}>due {dueWords(of)}</span>
        ) : (
          <span>
            {endWords[state]} {formatDate(of.closedDate)}
            {of.closedBy ? ` by ${of.closedBy}` : ""}
            {reason && closingAssessmentUuid ? ": " : reason ? `: ${reason}` : ""}
            {reason && closingAssessmentUuid ? (
              <ScopeLink to={routes.assessment(facilityUuid, closingAssessmentUuid)}>{reason}</ScopeLink>
            ) : null}
          </span>
        )}
      </span>
      <span className="note">
        {kind ? (
          <>
            About the work list (
            <ScopeLink to={routes.worklist(kindOf(kind), {})}>{worklistTitles[kindOf(kind)].title}</ScopeLink>
            ),{" "}
          </>
        ) : assessmentUuid ? (
          <>
            At the{" "}
            <ScopeLink to={routes.assessment(facilityUuid, assessmentUuid)}>
              visit of {formatDate(of.agreedDate)}
            </ScopeLink>
            ,{" "}
          </>
        ) : null}
        {kind || assessmentUuid ? "agreed" : "Agreed"} by {of.agreedBy}
        {assessmentUuid ? "" : ` on ${formatDate(of.agreedDate)}`}
      </span>
      {children}
    </li>
  );
}
