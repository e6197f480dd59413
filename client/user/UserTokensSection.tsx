import { TokensTable } from "../auth/TokensTable.tsx";
import { graphql } from "../gql/gql.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query UserTokensSectionQuery($uuid: String!) {
    user(uuid: $uuid) {
      id
      accessTokens { uuid ...TokensTable_AccessToken }
    }
  }
`);

const revokeMutation = graphql(`
  mutation UserTokensSection_revoke($input: RevokeUserAccessTokenInput!) {
    revokeUserAccessToken(input: $input) { accessToken { uuid revoked } errors { path message } }
  }
`);

/** The access tokens of a person that the viewer manages: privileges, and when and from where they were last used. */
export function UserTokensSection({ uuid }: { uuid: string }) {
  const answer = useScreenQuery(query, { uuid });
  const revoke = async (token: string) => {
    const { data, failure } = await mutate(revokeMutation, { input: { userUuid: uuid, uuid: token } });
    if (data?.revokeUserAccessToken.accessToken) return undefined;
    return failure ?? data?.revokeUserAccessToken.errors[0]?.message ?? "The token could not be revoked";
  };

  return (
    <section className="stack" aria-labelledby="user-tokens-heading">
      <h2 id="user-tokens-heading">Access tokens</h2>
      <QueryState query={answer} what="list of tokens">
        {({ user }) => <TokensTable empty="This person has no access tokens." onRevoke={revoke} tokens={user?.accessTokens ?? []} />}
      </QueryState>
    </section>
  );
}
