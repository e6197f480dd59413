import { useState } from "react";
import { privilegeTitles } from "../auth/privilegeTitles.ts";
import { tokenState } from "../auth/tokenState.ts";
import { graphql } from "../gql/gql.ts";
import type { UserTokensSectionQueryQuery } from "../gql/graphql.ts";
import { counted } from "../reference/counted.ts";
import { showError, showSuccess } from "../shell/toaster.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import { DataTable } from "../ui/DataTable.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { formatDate } from "../ui/dates.ts";
import { Empty } from "../ui/Empty.tsx";
import { QueryState } from "../ui/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query UserTokensSectionQuery($uuid: String!) {
    user(uuid: $uuid) {
      id
      accessTokens { uuid name privileges expiryDate lastUsedDate lastUsedTime lastUsedAddress expired revoked }
    }
  }
`);

const revokeMutation = graphql(`
  mutation UserTokensSection_revoke($input: RevokeUserAccessTokenInput!) {
    revokeUserAccessToken(input: $input) { accessToken { uuid revoked } errors { path message } }
  }
`);

type Token = NonNullable<NonNullable<UserTokensSectionQueryQuery["user"]>["accessTokens"]>[number];

const columnsOf = (busy: string | undefined, revoke: (token: Token) => Promise<void>): Column<Token>[] => [
  { id: "name", header: "Name", rowHeader: true, cell: ({ name }) => name },
  {
    id: "privileges",
    header: "Privileges",
    cell: ({ privileges }) => privileges.map((privilege) => privilegeTitles[privilege]).join(", ") || "Reading only",
  },
  { id: "state", header: "Works", cell: tokenState },
  {
    id: "used",
    header: "Last used",
    cell: ({ lastUsedDate, lastUsedTime }) => (lastUsedDate ? `${formatDate(lastUsedDate)}, ${lastUsedTime}` : "Never"),
  },
  { id: "address", header: "From", cell: ({ lastUsedAddress }) => lastUsedAddress },
  {
    id: "revoke",
    header: "Revoke",
    headerHidden: true,
    cell: (token) =>
      token.expired || token.revoked ? null : (
        <BusyButton aria-label={`Revoke ${token.name}`} isBusy={busy === token.uuid} onClick={() => void revoke(token)} text="Revoke" />
      ),
  },
];

/** The access tokens of somebody whom one manages: what they may do, when and from where they were last used. */
export function UserTokensSection({ uuid }: { uuid: string }) {
  const answer = useScreenQuery(query, { uuid });
  const [busy, setBusy] = useState<string>();

  const revoke = async (token: Token) => {
    setBusy(token.uuid);
    const { data, failure } = await mutate(revokeMutation, { input: { userUuid: uuid, uuid: token.uuid } });
    setBusy(undefined);
    if (data?.revokeUserAccessToken.accessToken) showSuccess(`${token.name} is revoked`);
    else showError(failure ?? data?.revokeUserAccessToken.errors[0]?.message ?? "The token could not be revoked");
  };

  return (
    <section className="user-section" aria-labelledby="user-tokens-heading">
      <h2 id="user-tokens-heading">Access tokens</h2>
      <QueryState query={answer} what="list of tokens">
        {({ user }) => {
          const tokens = user?.accessTokens ?? [];
          if (tokens.length === 0) return <Empty>This person has no access tokens.</Empty>;
          return <DataTable caption={counted(tokens.length, "token")} columns={columnsOf(busy, revoke)} rowKey={(row) => row.uuid} rows={tokens} />;
        }}
      </QueryState>
    </section>
  );
}
