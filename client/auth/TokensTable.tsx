import { useState } from "react";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { TokensTable_AccessTokenFragment } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { privilegeTitles } from "./privilegeTitles.ts";

const fragment = graphql(`
  fragment TokensTable_AccessToken on AccessToken {
    uuid
    name
    privileges
    expiryDate
    lastUsedDate
    lastUsedTime
    lastUsedAddress
    expired
    revoked
  }
`);

type Token = TokensTable_AccessTokenFragment;

/** Whether a token works, and until when. */
function stateOf({ expired, revoked, expiryDate }: Token): string {
  if (revoked) return "Revoked";
  return expired ? `Expired after ${formatDate(expiryDate)}` : `Until ${formatDate(expiryDate)}`;
}

const columnsOf = (busy: string | undefined, revoke: (token: Token) => Promise<void>): Column<Token>[] => [
  { id: "name", header: "Name", rowHeader: true, cell: ({ name }) => name },
  {
    id: "privileges",
    header: "Privileges",
    cell: ({ privileges }) => privileges.map((privilege) => privilegeTitles[privilege]).join(", ") || "Reading only",
  },
  { id: "state", header: "Works", phone: "line", cell: stateOf },
  {
    id: "used",
    header: "Last used",
    phone: "labelled",
    cell: ({ lastUsedDate, lastUsedTime }) => (lastUsedDate ? `${formatDate(lastUsedDate)}, ${lastUsedTime}` : "Never"),
  },
  { id: "address", header: "From", cell: ({ lastUsedAddress }) => lastUsedAddress },
  {
    id: "revoke",
    header: "Revoke",
    headerHidden: true,
    cell: (token) =>
      token.expired || token.revoked ? null : (
        <BusyButton
          aria-label={`Revoke ${token.name}`}
          isBusy={busy === token.uuid}
          onClick={() => void revoke(token)}
          text="Revoke"
        />
      ),
  },
];

type TokensTableProps = {
  /** shown if there are none */
  empty: string;
  tokens: readonly FragmentType<typeof fragment>[];
  /** revokes a token; returns the reason if that failed */
  onRevoke: (uuid: string) => Promise<string | undefined>;
};

/**
 * Access tokens: what they may do, when and from where they were last used, when they end, and a button that revokes
 * them.
 */
export function TokensTable({ empty, tokens, onRevoke }: TokensTableProps) {
  const [busy, setBusy] = useState<string>();
  const revoke = async ({ uuid, name }: Token) => {
    setBusy(uuid);
    const failure = await onRevoke(uuid);
    setBusy(undefined);
    if (failure === undefined) showSuccess(`${name} is revoked`);
    else showError(failure);
  };
  if (tokens.length === 0) return <Empty>{empty}</Empty>;
  return (
    <DataTable
      caption={counted(tokens.length, "token")}
      columns={columnsOf(busy, revoke)}
      opensAs={({ name }) => name}
      rowKey={({ uuid }) => uuid}
      rows={tokens.map((token) => readFragment(fragment, token))}
    />
  );
}
