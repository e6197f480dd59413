import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { AccessTokenForm } from "./AccessTokenForm.tsx";
import { type MadeToken, MadeTokenNotice } from "./MadeTokenNotice.tsx";
import { TokensTable } from "./TokensTable.tsx";

const query = graphql(`
  query AccessTokensSectionQuery {
    viewer {
      user { id }
      accessTokens { uuid ...TokensTable_AccessToken }
    }
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
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken>();
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
        <AccessTokenForm
          onCancel={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            answer.reload();
          }}
        />
      ) : null}
      {made ? <MadeTokenNotice token={made} onDone={() => setMade(undefined)} /> : null}
      <QueryState query={answer} what="list of tokens">
        {({ viewer }) => {
          const tokens = viewer?.accessTokens ?? [];
          if (tokens.length === 0) return <Empty>You have no access tokens.</Empty>;
          return <TokensTable onRevoke={revoke} tokens={tokens} />;
        }}
      </QueryState>
    </section>
  );
}
