import { Button } from "@blueprintjs/core";
import { privilegeTitles } from "../auth/privilegeTitles.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { ServiceAccountsTable_ServiceAccountFragment } from "../gql/graphql.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";

const fragment = graphql(`
  fragment ServiceAccountsTable_ServiceAccount on ServiceAccount {
    uuid
    name
    owner { id userName }
    ownerActive
    active
    privileges
    province { id name }
    district { id name }
    implementingPartner { id implementingPartner }
    accessTokens { uuid lastUsedDate lastUsedTime expired revoked }
  }
`);

type Account = ServiceAccountsTable_ServiceAccountFragment;

function stateOf({ active, ownerActive }: Account): string {
  if (!active) return "Ended";
  return ownerActive ? "Works" : "Stopped: its owner is deactivated";
}

function lastUseOf({ accessTokens }: Account): string {
  const last = accessTokens
    .flatMap(({ lastUsedDate, lastUsedTime }) => (lastUsedDate ? [`${lastUsedDate} ${lastUsedTime}`] : []))
    .toSorted()
    .at(-1);
  return last ? `${formatDate(last.slice(0, 10))}, ${last.slice(11)}` : "Never";
}

const columnsOf = (choose: (uuid: string) => void): Column<Account>[] => [
  { id: "name", header: "Name", rowHeader: true, cell: ({ name }) => name },
  { id: "owner", header: "Owner", phone: "labelled", cell: ({ owner }) => owner?.userName ?? "—" },
  {
    id: "privileges",
    header: "Privileges",
    cell: ({ privileges }) => privileges.map((privilege) => privilegeTitles[privilege]).join(", ") || "Reading only",
  },
  {
    id: "limit",
    header: "Limited to",
    cell: ({ province, district, implementingPartner }) =>
      province?.name ?? district?.name ?? implementingPartner?.implementingPartner ?? "Whole country",
  },
  {
    id: "tokens",
    header: "Tokens",
    numeric: true,
    cell: ({ accessTokens }) => accessTokens.filter(({ expired, revoked }) => !expired && !revoked).length,
  },
  { id: "used", header: "Last used", phone: "labelled", cell: lastUseOf },
  { id: "state", header: "State", phone: "end", cell: stateOf },
  {
    id: "open",
    header: "Manage",
    headerHidden: true,
    cell: ({ uuid, name }) => <Button aria-label={`Manage ${name}`} onClick={() => choose(uuid)} text="Manage" />,
  },
];

type ServiceAccountsTableProps = {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  onChoose: (uuid: string) => void;
};

/** Service accounts with privileges, limit and last use. */
export function ServiceAccountsTable({ caption, rows, onChoose }: ServiceAccountsTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={columnsOf(onChoose)}
      opensAs={({ name }) => name}
      rowKey={({ uuid }) => uuid}
      rows={readFragment(fragment, rows)}
    />
  );
}
