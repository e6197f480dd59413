import { Classes } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { UserSort } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { orderAndPage, useSorting } from "../ui/filter/listSort.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { routes } from "../routes.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { userOrders } from "./userFilter.ts";
import { UsersTable } from "./UsersTable.tsx";

const query = graphql(`
  query PartnerUsersTabQuery($implementingPartnerId: Int!, $sort: UserSort, $first: Int = 10, $offset: Int) {
    users(implementingPartnerId: $implementingPartnerId, sort: $sort, first: $first, offset: $offset) {
      totalCount
      nodes { id ...UsersTable_User }
    }
  }
`);

const pageName = "userPage";
const read = (implementingPartnerId: number, url: URLSearchParams) => ({
  implementingPartnerId,
  ...orderAndPage<UserSort>(url, userOrders, pageName),
});

export const loader = screenLoader(query, ({ params, url }) =>
  read(idInPath(params["implementingPartnerId"]) ?? 0, url),
);

/** The people of a partner, for those who manage them. */
export function PartnerUsersTab({ implementingPartnerId }: { implementingPartnerId: number }) {
  const [url] = useSearchParams();
  const variables = read(implementingPartnerId, url);
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ users }) => users?.nodes);
  const sorting = useSorting(userOrders, "userName", pageName);
  return (
    <div className="stack">
      <div>
        <Link className={Classes.BUTTON} to={routes.addUser()}>
          <AddIcon />
          <span className={Classes.BUTTON_TEXT}>Add User</span>
        </Link>
      </div>
      <QueryState query={answer} what="list of users">
        {({ users }) => (
          <PagedList
            fetchFrom={fetchFrom}
            list={users}
            label="Pages of users"
            pageName={pageName}
            isSized
            empty="This partner has no users yet."
          >
            {(rows, total) => (
              <UsersTable caption={counted(total, "user")} rows={rows} sorting={sorting} withPartner={false} />
            )}
          </PagedList>
        )}
      </QueryState>
    </div>
  );
}
