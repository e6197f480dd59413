import { Callout, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { useMay } from "../shell/session/viewer.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { notCountedText } from "../ui/text/notCountedText.ts";
import { mutate } from "../urql.ts";
import { figures } from "./saveAssessment.ts";

const fragment = graphql(`
  fragment NotCountedNotice_Assessment on Assessment { id assessmentUuid setAside { reason } held }
`);
const acceptMutation = graphql(`
  mutation NotCountedNotice_accept($input: AcceptAssessmentInput!) {
    acceptAssessment(input: $input) {
      assessment { ...NotCountedNotice_Assessment facility { id functionalityStatusMode } }
      errors { message }
    }
  }
`);

/** Says why no figure counts a visit; administrators accept one that is held. Nothing for a visit that is counted. */
export function NotCountedNotice({ assessment }: { assessment: FragmentType<typeof fragment> }) {
  const { assessmentUuid, setAside, held } = readFragment(fragment, assessment);
  const mayAccept = useMay("setAside");
  const [isBusy, setBusy] = useState(false);
  const why = notCountedText(setAside?.reason, held);
  if (!why) return null;
  const accept = async () => {
    setBusy(true);
    const { data, failure } = await mutate(acceptMutation, { input: { assessmentUuid } }, figures);
    setBusy(false);
    const message = failure ?? data?.acceptAssessment.errors[0]?.message;
    if (message) showError(message);
    else showSuccess("Accepted the assessment");
  };
  return (
    <Callout className="row is-spread" icon={null} intent={Intent.WARNING}>
      <p>{why}. Figures leave this visit out.</p>
      {held != null && mayAccept ? <BusyButton isBusy={isBusy} onClick={() => void accept()} text="Accept" /> : null}
    </Callout>
  );
}
