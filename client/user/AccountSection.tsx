import { Button, Card, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { TokensTable } from "../auth/TokensTable.tsx";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { mutate, useScreenQuery } from "../urql.ts";

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
        {userName} gets a new temporary password, which is shown to you once. Their sessions and access tokens end for
        good.
      </QuestionDialog>
      <QuestionDialog
        asked={asked === "deactivate"}
        intent={Intent.DANGER}
        onClose={setAsked}
        onConfirm={deactivate}
        title="Deactivate"
      >
        {userName} cannot sign in until the account is reactivated. Their sessions end, and their access tokens for
        good; what they recorded stays.
      </QuestionDialog>
      <QuestionDialog
        asked={asked === "end"}
        intent={Intent.DANGER}
        onClose={setAsked}
        onConfirm={end}
        title="End everything"
      >
        For a lost telephone or computer: all sessions and access tokens of {userName} end now, and visits that a device
        keeps and has not sent can never be opened again. The account, its password and what was sent stay. To keep
        somebody out who knows the password, reset it too.
      </QuestionDialog>
    </Card>
  );
}

const factorQuery = graphql(`
  query AccountSectionQueryFactor($uuid: String!) {
    user(uuid: $uuid) { id userName hasSecondFactor }
  }
`);

const removeFactorMutation = graphql(`
  mutation AccountSection_removeFactor($input: UserInput!) {
    removeSecondFactorOfUser(input: $input) { user { id hasSecondFactor } errors { path message } }
  }
`);

/** The second factor of a person that the viewer manages, if there is one. It can be removed if it was lost. */
export function UserSecondFactorSection({ uuid }: { uuid: string }) {
  const { data } = useScreenQuery(factorQuery, { uuid });
  const [isAsked, setAsked] = useState<boolean>();
  const user = data?.user;
  if (!user?.hasSecondFactor) return null;

  const remove = async () => {
    const { data: answer, failure } = await mutate(removeFactorMutation, { input: { uuid } });
    setAsked(false);
    if (answer?.removeSecondFactorOfUser.user) showSuccess(`${user.userName} signs in by the password alone`);
    else
      showError(
        failure ?? answer?.removeSecondFactorOfUser.errors[0]?.message ?? "The second factor could not be taken away",
      );
  };

  return (
    <Card className="stack" aria-labelledby="user-factor-heading" role="region">
      <h2 id="user-factor-heading">Second factor</h2>
      <p>
        Sign-ins of {user.userName} ask for a code. Take it away when the device with the app and the recovery codes are
        lost.
      </p>
      <div>
        <Button intent={Intent.DANGER} onClick={() => setAsked(true)} text="Take away" variant="outlined" />
      </div>
      <QuestionDialog asked={isAsked} intent={Intent.DANGER} onClose={setAsked} onConfirm={remove} title="Take away">
        {user.userName} then signs in by the password alone, until they set up another. Their sessions end. Be sure who
        asks you for this.
      </QuestionDialog>
    </Card>
  );
}

const tokensQuery = graphql(`
  query AccountSectionQueryTokens($uuid: String!) {
    user(uuid: $uuid) {
      id
      accessTokens { uuid ...TokensTable_AccessToken }
    }
  }
`);

const revokeTokenMutation = graphql(`
  mutation AccountSection_revokeToken($input: RevokeUserAccessTokenInput!) {
    revokeUserAccessToken(input: $input) { accessToken { uuid revoked } errors { path message } }
  }
`);

/** The access tokens of a person that the viewer manages: privileges, and when and from where they were last used. */
export function UserTokensSection({ uuid }: { uuid: string }) {
  const answer = useScreenQuery(tokensQuery, { uuid });
  const revoke = async (token: string) => {
    const { data, failure } = await mutate(revokeTokenMutation, { input: { userUuid: uuid, uuid: token } });
    if (data?.revokeUserAccessToken.accessToken) return undefined;
    return failure ?? data?.revokeUserAccessToken.errors[0]?.message ?? "The token could not be revoked";
  };

  return (
    <section className="stack" aria-labelledby="user-tokens-heading">
      <h2 id="user-tokens-heading">Access tokens</h2>
      <QueryState query={answer} what="list of tokens">
        {({ user }) => (
          <TokensTable empty="This person has no access tokens." onRevoke={revoke} tokens={user?.accessTokens ?? []} />
        )}
      </QueryState>
    </section>
  );
}
