import { Button, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import type { RevokeSiteCredentialsInput } from "../gql/graphql.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { mutate } from "../urql.ts";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { type CredentialFilter, isFiltered } from "./credentialFilter.ts";

const revokeMutation = graphql(`
  mutation RevokeManyPanel_revoke($input: RevokeSiteCredentialsInput!) {
    revokeSiteCredentials(input: $input) { revoked unchanged errors { path message } }
  }
`);

type RevokeManyPanelProps = {
  /** Facilities that were chosen in the list, on any of its pages. */
  chosen: readonly string[];
  filter: CredentialFilter;
  /** How many match the filter. */
  total: number;
  onClear: () => void;
  onRevoked: () => void;
};

/** Revokes many credentials at once after a confirmation: those chosen in the list, or all that match the filter. */
export function RevokeManyPanel({ chosen, filter, total, onClear, onRevoked }: RevokeManyPanelProps) {
  const [asked, setAsked] = useState<"chosen" | "found">();
  const mayFound = isFiltered(filter) && total > 0;

  const revoke = async (which: "chosen" | "found") => {
    const input: RevokeSiteCredentialsInput =
      which === "found" ? { ...filter, expected: total } : { facilities: [...chosen], expected: chosen.length };
    const { data, failure } = await mutate(revokeMutation, { input });
    setAsked(undefined);
    const done = data?.revokeSiteCredentials;
    if (done?.revoked == null) return showError(failure ?? done?.errors[0]?.message ?? "They could not be revoked");
    const rest = done.unchanged ? `; ${counted(done.unchanged, "site")} had none any more` : "";
    showSuccess(`The credentials of ${counted(done.revoked, "site")} are revoked${rest}`);
    onRevoked();
  };

  if (chosen.length === 0 && !mayFound) return null;
  return (
    <div className="row">
      {chosen.length > 0 ? (
        <>
          <Button onClick={() => setAsked("chosen")} text={`Revoke ${chosen.length} chosen`} />
          <Button onClick={onClear} text="Choose none" variant="minimal" />
        </>
      ) : null}
      {mayFound ? <Button onClick={() => setAsked("found")} text={`Revoke all ${formatNumber(total)} found`} /> : null}
      <QuestionDialog
        asked={asked}
        intent={Intent.DANGER}
        onClose={setAsked}
        onConfirm={revoke}
        title={(which) => `Revoke for ${counted(which === "found" ? total : chosen.length, "site")}`}
      >
        {(which) =>
          `${which === "found" ? "All sites that the filter finds" : "The chosen sites"} cannot send with what they have any more, renewals included. It cannot be taken back; new credentials can be issued. Each site is written to the audit.`
        }
      </QuestionDialog>
    </div>
  );
}
