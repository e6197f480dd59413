import { Alert, Button, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { showError, showSuccess } from "../shell/toaster.tsx";
import { mutate } from "../urql.ts";

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

type AccountSectionProps = {
  user: FragmentType<typeof fragment>;
  /** A temporary password was made, to be shown once. */
  onPassword: (temporaryPassword: string) => void;
};

/** What can be done to somebody's account as a whole. */
export function AccountSection({ user, onPassword }: AccountSectionProps) {
  const { uuid, userName, active } = readFragment(fragment, user);
  const [asked, setAsked] = useState<"reset" | "deactivate">();
  const [isBusy, setBusy] = useState(false);
  const input = { uuid };

  const failed = (failure: string | undefined, errors: { message: string }[] | undefined) =>
    showError(failure ?? errors?.[0]?.message ?? "Could not update the user record");

  const run = async (act: () => Promise<void>) => {
    setBusy(true);
    await act();
    setBusy(false);
    setAsked(undefined);
  };
  const reset = async () => {
    const { data, failure } = await mutate(resetMutation, { input });
    const password = data?.resetUserPassword.temporaryPassword;
    if (password) {
      onPassword(password);
      window.scrollTo({ top: 0 });
    } else failed(failure, data?.resetUserPassword.errors);
  };
  const deactivate = async () => {
    const { data, failure } = await mutate(deactivateMutation, { input });
    if (data?.deactivateUser.user) showSuccess(`${userName} is deactivated`);
    else failed(failure, data?.deactivateUser.errors);
  };
  const reactivate = async () => {
    const { data, failure } = await mutate(reactivateMutation, { input });
    if (data?.reactivateUser.user) showSuccess(`${userName} can sign in again`);
    else failed(failure, data?.reactivateUser.errors);
  };

  return (
    <section className="card user-section" aria-labelledby="account-heading">
      <h2 id="account-heading">Account</h2>
      <div className="user-actions">
        <Button onClick={() => setAsked("reset")} text="Reset password" />
        {active ? (
          <Button intent={Intent.DANGER} onClick={() => setAsked("deactivate")} text="Deactivate" variant="outlined" />
        ) : (
          <Button loading={isBusy} onClick={() => void run(reactivate)} text="Reactivate" />
        )}
      </div>
      <Alert
        cancelButtonText="Cancel"
        canEscapeKeyCancel
        confirmButtonText="Reset password"
        intent={Intent.PRIMARY}
        isOpen={asked === "reset"}
        loading={isBusy}
        onCancel={() => setAsked(undefined)}
        onConfirm={() => void run(reset)}
      >
        <p>{userName} gets a new temporary password, which is shown to you once. Their sessions end.</p>
      </Alert>
      <Alert
        cancelButtonText="Cancel"
        canEscapeKeyCancel
        confirmButtonText="Deactivate"
        intent={Intent.DANGER}
        isOpen={asked === "deactivate"}
        loading={isBusy}
        onCancel={() => setAsked(undefined)}
        onConfirm={() => void run(deactivate)}
      >
        <p>{userName} cannot sign in until the account is reactivated. Their sessions end; what they recorded stays.</p>
      </Alert>
    </section>
  );
}
