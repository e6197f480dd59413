import { Classes } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { Link, useSearchParams } from "react-router-dom";
import { FilterChoice, FilterForm } from "../ui/filter/FilterForm.tsx";
import { graphql } from "../gql/gql.ts";
import type { UserSort } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { sortIn, sortValue, useSorting } from "../ui/filter/listSort.ts";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { UsersTable } from "./UsersTable.tsx";
import "./UserDirectoryScreen.css";

const query = graphql(`
  query UserDirectoryScreenQuery($search: String, $implementingPartnerId: Int, $active: Boolean, $sort: UserSort, $first: Int = 10, $offset: Int) {
    users(search: $search, implementingPartnerId: $implementingPartnerId, active: $active, sort: $sort, first: $first, offset: $offset) {
      totalCount
      nodes { id ...UsersTable_User }
    }
    implementingPartners(active: null, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

const activity: Record<string, boolean> = { active: true, deactivated: false };

const sortKeys = ["userName", "lastLogin"];
function sortOf(url: URLSearchParams): UserSort | null {
  const by = sortIn(url, sortKeys);
  return by === undefined ? null : (sortValue(by) as UserSort);
}

const read = ({ url }: { url: URLSearchParams }) => ({
  search: url.get("search")?.slice(0, 128) || null,
  implementingPartnerId: /^\d{1,9}$/.test(url.get("partner") ?? "") ? Number(url.get("partner")) : null,
  active: activity[url.get("account") ?? ""] ?? null,
  sort: sortOf(url),
  first: rowsIn(url),
  offset: offsetOf(url, "page", rowsIn(url)),
});

export const loader = guarded("manageUsers", screenLoader(query, read));

/** Everybody whom one manages: found by name, partner and account. */
export function UserDirectoryScreen() {
  const { privileges, user } = useViewer();
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read({ url }));
  const sorting = useSorting(sortKeys, "userName");

  return (
    <Page
      title="Users"
      subtitle={privileges.administrator ? undefined : `Of ${user.implementingPartner.implementingPartner}`}
      actions={
        <Link className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY}`} to={routes.addUser()}>
          <AddIcon />
          <span className={Classes.BUTTON_TEXT}>Add new</span>
        </Link>
      }
    >
      <FilterForm className="directory-filters" label="Name or e-mail">
        {privileges.administrator ? (
          <FilterChoice label="Partner" name="partner" value={url.get("partner") ?? ""}>
            <option value="">All partners</option>
            {answer.data?.implementingPartners.nodes.map((one) => (
              <option key={one.id} value={one.implementingPartnerId}>
                {one.implementingPartner}
              </option>
            ))}
          </FilterChoice>
        ) : null}
        <FilterChoice label="Account" name="account" value={url.get("account") ?? ""}>
          <option value="">All</option>
          <option value="active">Active</option>
          <option value="deactivated">Deactivated</option>
        </FilterChoice>
      </FilterForm>
      <QueryState query={answer} what="list of users">
        {({ users }) =>
          users ? (
            <PagedList total={users.totalCount} shown={users.nodes.length} label="Pages of users" isSized empty="Nobody matches.">
              <UsersTable caption={counted(users.totalCount, "user")} rows={users.nodes} sorting={sorting} withPartner={privileges.administrator} />
            </PagedList>
          ) : null
        }
      </QueryState>
    </Page>
  );
}
