import { Link } from "react-router-dom";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { UsersTable_UserFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column, Sorting } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";

const fragment = graphql(`
  fragment UsersTable_User on User {
    id
    uuid
    userName
    firstName
    surname
    active
    lastLoginDate
    lastLoginTime
    implementingPartner { id implementingPartnerId implementingPartner }
  }
`);

type User = UsersTable_UserFragment;

const columns: Column<User>[] = [
  {
    id: "user",
    header: "User",
    sort: "userName",
    rowHeader: true,
    cell: ({ userName, firstName, surname }) => `${userName} (${firstName} ${surname})`,
  },
  {
    id: "partner",
    header: "Implementing partner",
    phone: "line",
    cell: ({ implementingPartner }) => implementingPartner.implementingPartner,
  },
  { id: "active", header: "Account", phone: "line", cell: ({ active }) => (active ? "Active" : "Deactivated") },
  {
    id: "login",
    header: "Last sign-in",
    sort: "lastLogin",
    phone: "labelled",
    cell: ({ lastLoginDate, lastLoginTime }) =>
      lastLoginDate ? `${formatDate(lastLoginDate)}, ${lastLoginTime}` : "Never",
  },
  {
    id: "view",
    header: "View User",
    headerHidden: true,
    phone: "end",
    cell: ({ uuid, userName }) => (
      <Link to={routes.user(uuid)} aria-label={`View User ${userName}`}>
        View User
      </Link>
    ),
  },
];

type UsersTableProps = {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  withPartner: boolean;
  sorting?: Sorting;
};

/** People, each with a link to their screen. */
export function UsersTable({ caption, rows, withPartner, sorting }: UsersTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={withPartner ? columns : columns.filter(({ id }) => id !== "partner")}
      rowKey={({ id }) => id}
      rows={readFragment(fragment, rows)}
      sorting={sorting}
    />
  );
}
