import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { StandingControls } from "../setAside/StandingControls.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";
import { figures } from "./saveAssessment.ts";

export const fragment = graphql(`
  fragment VisitStandingControls_Assessment on Assessment { id assessmentUuid assessmentDate setAside { reason } held }
`);
const acceptMutation = graphql(`
  mutation VisitStandingControls_accept($input: AcceptAssessmentInput!) {
    done: acceptAssessment(input: $input) {
      assessment { ...VisitStandingControls_Assessment facility { id functionalityStatusMode } }
      errors { message }
    }
  }
`);
const setAsideMutation = graphql(`
  mutation VisitStandingControls_setAside($input: SetAssessmentAsideInput!) {
    done: setAssessmentAside(input: $input) {
      assessment { ...VisitStandingControls_Assessment facility { id functionalityStatusMode } }
      errors { message }
    }
  }
`);
const restoreMutation = graphql(`
  mutation VisitStandingControls_restore($input: SetAssessmentAsideInput!) {
    done: restoreAssessment(input: $input) {
      assessment { ...VisitStandingControls_Assessment facility { id functionalityStatusMode } }
      errors { message }
    }
  }
`);

/** What administrators do about a visit that is held or set aside, or should be. */
export function VisitStandingControls({ assessment }: { assessment: FragmentType<typeof fragment> }) {
  const visit = readFragment(fragment, assessment);
  const { assessmentUuid } = visit;
  return (
    <StandingControls
      acts={{
        accept: () => mutate(acceptMutation, { input: { assessmentUuid } }, figures),
        setAside: (reason) => mutate(setAsideMutation, { input: { assessmentUuid, reason } }, figures),
        restore: (reason) => mutate(restoreMutation, { input: { assessmentUuid, reason } }, figures),
      }}
      standing={visit}
      what={`the visit of ${formatDate(visit.assessmentDate)}`}
    />
  );
}
