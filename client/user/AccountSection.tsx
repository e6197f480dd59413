import { Button, Card, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { mutate } from "../urql.ts";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";

const fragment = graphql(`
  fragment AccountSection_User on User { id uuid userName active }
`);

const resetMutation = graphql(`
  mutation AccountSection_reset($input: UserInput!) {
    resetUserPassword(input: $input) { user { id ...UserDetailsSection_User } temporaryPassword errors { path message } }
  }
`);
const deactivateMutation = graphql(`
  mutation AccountSection_deactivate($input: UserInput!) {
    deactivateUser(input: $input) { user { id ...UserDetailsSection_User ...AccountSection_User } errors { path message } }
  }
`);
const reactivateMutation = graphql(`
  mutation AccountSection_reactivate($input: UserInput!) {
    reactivateUser(input: $input) { user { id ...UserDetailsSection_User ...AccountSection_User } errors { path message } }
  }
`);

const endMutation = graphql(`
  mutation AccountSection_end($input: UserInput!) {
    endEverythingOfUser(input: $input) { user { id } endedSessions endedTokens errors { path message } }
  }
`);

type AccountSectionProps = {
  user: FragmentType<typeof fragment>;
  /** Called with a new temporary password, which is to be shown once. */
  onPassword: (temporaryPassword: string) => void;
};

/** The actions for somebody's account as a whole. */
export function AccountSection({ user, onPassword }: AccountSectionProps) {
  const { uuid, userName, active } = readFragment(fragment, user);
  const [asked, setAsked] = useState<"reset" | "deactivate" | "end">();
  const [isReactivating, setReactivating] = useState(false);
  const input = { uuid };

  const failed = (failure: string | undefined, errors: { message: string }[] | undefined) =>
    showError(failure ?? errors?.[0]?.message ?? "Could not update the user record");

  const reset = async () => {
    const { data, failure } = await mutate(resetMutation, { input });
    const password = data?.resetUserPassword.temporaryPassword;
    if (password) {
      onPassword(password);
      window.scrollTo({ top: 0 });
    } else failed(failure, data?.resetUserPassword.errors);
    setAsked(undefined);
  };
  const deactivate = async () => {
    const { data, failure } = await mutate(deactivateMutation, { input });
    if (data?.deactivateUser.user) showSuccess(`${userName} is deactivated`);
    else failed(failure, data?.deactivateUser.errors);
    setAsked(undefined);
  };
  const reactivate = async () => {
    setReactivating(true);
    const { data, failure } = await mutate(reactivateMutation, { input });
    setReactivating(false);
    if (data?.reactivateUser.user) showSuccess(`${userName} can sign in again`);
    else failed(failure, data?.reactivateUser.errors);
  };
  const end = async () => {
    const { data, failure } = await mutate(endMutation, { input });
    const { endedSessions, endedTokens, errors } = data?.endEverythingOfUser ?? {};
    if (endedSessions != null && endedTokens != null)
      showSuccess(`Ended of ${userName}: ${counted(endedSessions, "session")}, ${counted(endedTokens, "token")}`);
    else failed(failure, errors);
    setAsked(undefined);
  };

  return (
    <Card className="stack" aria-labelledby="account-heading" role="region">
      <h2 id="account-heading">Account</h2>
      <div className="row">
        <Button onClick={() => setAsked("reset")} text="Reset password" />
        <Button onClick={() => setAsked("end")} text="End everything" />
        {active ? (
          <Button intent={Intent.DANGER} onClick={() => setAsked("deactivate")} text="Deactivate" variant="outlined" />
        ) : (
          <BusyButton isBusy={isReactivating} onClick={() => void reactivate()} text="Reactivate" />
        )}
      </div>
      <QuestionDialog asked={asked === "reset"} onClose={setAsked} onConfirm={reset} title="Reset password">
        {userName} gets a new temporary password, which is shown to you once. Their sessions and access tokens end for good.
      </QuestionDialog>
      <QuestionDialog asked={asked === "deactivate"} intent={Intent.DANGER} onClose={setAsked} onConfirm={deactivate} title="Deactivate">
        {userName} cannot sign in until the account is reactivated. Their sessions end, and their access tokens for good; what they recorded stays.
      </QuestionDialog>
      <QuestionDialog asked={asked === "end"} intent={Intent.DANGER} onClose={setAsked} onConfirm={end} title="End everything">
        For a lost telephone or computer: all sessions and access tokens of {userName} end now, and visits that a device keeps and has not sent
        can never be opened again. The account, its password and what was sent stay. To keep somebody out who knows the password, reset it too.
      </QuestionDialog>
    </Card>
  );
}
