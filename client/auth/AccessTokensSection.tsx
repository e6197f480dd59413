import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import type { AccessTokensSectionQueryQuery } from "../gql/graphql.ts";
import { counted } from "../reference/counted.ts";
import { showError, showSuccess } from "../shell/toaster.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import { DataTable } from "../ui/DataTable.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { formatDate } from "../ui/dates.ts";
import { Empty } from "../ui/Empty.tsx";
import { QueryState } from "../ui/QueryState.tsx";
import { SecretNotice } from "../ui/SecretNotice.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { AccessTokenForm } from "./AccessTokenForm.tsx";
import { privilegeTitles } from "./privilegeTitles.ts";
import { tokenState } from "./tokenState.ts";

const query = graphql(`
  query AccessTokensSectionQuery {
    viewer {
      user { id }
      accessTokens { uuid name privileges createdDate expiryDate lastUsedDate lastUsedTime lastUsedAddress expired revoked }
    }
  }
`);

const revokeMutation = graphql(`
  mutation AccessTokensSection_revoke($input: RevokeAccessTokenInput!) {
    revokeAccessToken(input: $input) { accessToken { uuid revoked } errors { path message } }
  }
`);

type Token = NonNullable<AccessTokensSectionQueryQuery["viewer"]>["accessTokens"][number];

const columnsOf = (busy: string | undefined, revoke: (uuid: string, name: string) => Promise<void>): Column<Token>[] => [
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
    cell: ({ uuid, name, expired, revoked }) =>
      expired || revoked ? null : (
        <BusyButton aria-label={`Revoke ${name}`} isBusy={busy === uuid} onClick={() => void revoke(uuid, name)} text="Revoke" />
      ),
  },
];

/** One's access tokens: made here, shown once, revoked here. */
export function AccessTokensSection() {
  const answer = useScreenQuery(query, {});
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string }>();
  const [busy, setBusy] = useState<string>();

  const revoke = async (uuid: string, name: string) => {
    setBusy(uuid);
    const { data, failure } = await mutate(revokeMutation, { input: { uuid } });
    setBusy(undefined);
    if (data?.revokeAccessToken.accessToken) showSuccess(`${name} is revoked`);
    else showError(failure ?? data?.revokeAccessToken.errors[0]?.message ?? "The token could not be revoked");
  };

  return (
    <section className="user-section" aria-labelledby="tokens-heading">
      <div className="tokens-head">
        <div>
          <h2 id="tokens-heading">Access tokens</h2>
          <p className="user-note">For programs that read or send data in your name, by REST or GraphQL.</p>
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
      {made ? (
        <SecretNotice label={`Token ${made.name}`} secret={made.secret} onDone={() => setMade(undefined)}>
          Copy it now: it is shown this once. A program sends it in the header “Authorization: Bearer …”.
        </SecretNotice>
      ) : null}
      <QueryState query={answer} what="list of tokens">
        {({ viewer }) => {
          const tokens = viewer?.accessTokens ?? [];
          if (tokens.length === 0) return <Empty>You have no access tokens.</Empty>;
          return <DataTable caption={counted(tokens.length, "token")} columns={columnsOf(busy, revoke)} rowKey={({ uuid }) => uuid} rows={tokens} />;
        }}
      </QueryState>
    </section>
  );
}
