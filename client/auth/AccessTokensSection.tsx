import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { privilegeNames } from "../../gateway/access/access.rules.ts";
import type { NewToken } from "../../gateway/auth/account.rules.ts";
import { graphql } from "../gql/gql.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { type MadeToken, MadeTokenNotice, TokenForm } from "./TokenForm.tsx";
import { TokensTable } from "./TokensTable.tsx";

const query = graphql(`
  query AccessTokensSectionQuery {
    viewer {
      user { id }
      accessTokens { uuid ...TokensTable_AccessToken }
    }
  }
`);

const createMutation = graphql(`
  mutation AccessTokensSection_create($input: CreateAccessTokenInput!) {
    createAccessToken(input: $input) { accessToken { uuid name } secret errors { path message } }
  }
`);

const revokeMutation = graphql(`
  mutation AccessTokensSection_revoke($input: RevokeAccessTokenInput!) {
    revokeAccessToken(input: $input) { accessToken { uuid revoked } errors { path message } }
  }
`);

/** The signed-in person's access tokens. They are made and revoked here; a secret is shown once. */
export function AccessTokensSection() {
  const answer = useScreenQuery(query, {});
  const { privileges } = useViewer();
  // A token has the person's privileges, or fewer.
  const own = privilegeNames.filter((name) => privileges.administrator || privileges[name]);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken>();
  const create = async (input: NewToken) => {
    const { data, failure } = await mutate(createMutation, { input });
    return { made: data?.createAccessToken, failure };
  };
  const revoke = async (uuid: string) => {
    const { data, failure } = await mutate(revokeMutation, { input: { uuid } });
    if (data?.revokeAccessToken.accessToken) return undefined;
    return failure ?? data?.revokeAccessToken.errors[0]?.message ?? "The token could not be revoked";
  };

  return (
    <section className="stack" aria-labelledby="tokens-heading">
      <div className="row is-spread">
        <div>
          <h2 id="tokens-heading">Access tokens</h2>
          <p className="note">For programs that read or send data in your name, by REST or GraphQL.</p>
        </div>
        {isMaking ? null : <Button icon={<AddIcon />} onClick={() => setMaking(true)} text="New token" />}
      </div>
      {isMaking ? (
        <TokenForm
          onCancel={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            answer.reload();
          }}
          privileges={own}
          save={create}
        />
      ) : null}
      {made ? <MadeTokenNotice token={made} onDone={() => setMade(undefined)} /> : null}
      <QueryState query={answer} what="list of tokens">
        {({ viewer }) => (
          <TokensTable empty="You have no access tokens." onRevoke={revoke} tokens={viewer?.accessTokens ?? []} />
        )}
      </QueryState>
    </section>
  );
}
