import { Classes } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { Link, useSearchParams } from "react-router-dom";
import { roleCodes } from "../../gateway/access/access.rules.ts";
import { privilegeTitles } from "../auth/privilegeTitles.ts";
import { graphql } from "../gql/gql.ts";
import type { UserDirectoryScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { guarded } from "../shell/session/guard.ts";
import { useViewer } from "../shell/session/viewer.ts";
import type { Chip } from "../ui/filter/Chips.tsx";
import { FilterChoiceField, ParameterField } from "../ui/filter/FilterFields.tsx";
import { ListBar } from "../ui/filter/ListBar.tsx";
import { useSorting } from "../ui/filter/listSort.ts";
import { noneMatch } from "../ui/filter/listTexts.ts";
import { SearchForm } from "../ui/filter/SearchForm.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { KnownFilters } from "../ui/notice/WrongFilterNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { ViewsButton } from "../view/ViewsButton.tsx";
import { accounts, csvAddress, filterIn, readUserList, userFilters, userOrders, unseen } from "./userFilter.ts";
import { UsersTable } from "./UsersTable.tsx";

const query = graphql(`
  query UserDirectoryScreenQuery(
    $search: String, $implementingPartnerId: Int, $active: Boolean, $role: RoleCode, $lastLoginBefore: Date, $sort: UserSort, $first: Int = 10, $offset: Int
  ) {
    users(
      search: $search, implementingPartnerId: $implementingPartnerId, active: $active, role: $role, lastLoginBefore: $lastLoginBefore
      sort: $sort, first: $first, offset: $offset
    ) {
      totalCount
      nodes { id ...UsersTable_User }
    }
    implementingPartners(active: null, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

export const loader = guarded(
  "manageUsers",
  screenLoader(query, ({ url }) => readUserList(url)),
);

type Partners = UserDirectoryScreenQueryQuery["implementingPartners"]["nodes"];

/** The filters of the list in words. */
function chipsOf(url: URLSearchParams, partners: Partners): Chip[] {
  const { implementingPartnerId, active, role, lastLoginBefore, search } = filterIn(url);
  const partner =
    partners.find((one) => one.implementingPartnerId === implementingPartnerId)?.implementingPartner ??
    implementingPartnerId;
  return [
    ...(search ? [{ name: "search", words: `Name or e-mail: ${search}` }] : []),
    ...(implementingPartnerId === null ? [] : [{ name: "partner", words: `Partner: ${partner}` }]),
    ...(active === null ? [] : [{ name: "account", words: `Account: ${active ? "Active" : "Deactivated"}` }]),
    ...(role ? [{ name: "role", words: `Privilege: ${privilegeTitles[roleCodes[role]]}` }] : []),
    ...(lastLoginBefore ? [{ name: "unseenSince", words: `${unseen.label}: ${formatDate(lastLoginBefore)}` }] : []),
  ];
}

function Users() {
  const { privileges, user } = useViewer();
  const [url] = useSearchParams();
  const variables = readUserList(url);
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ users }) => users?.nodes);
  const sorting = useSorting(userOrders, "userName");
  const partners = answer.data?.implementingPartners.nodes ?? [];
  const chips = chipsOf(url, partners);

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
      <PrintedNote answer={answer.data} words={chips.map(({ words }) => words)} />
      <ListBar
        chips={chips}
        file={{ href: csvAddress(url), label: "of these people" }}
        form={
          <>
            {privileges.administrator ? (
              <FilterChoiceField
                label="Partner"
                name="partner"
                options={partners.map(({ implementingPartnerId, implementingPartner }) => [
                  String(implementingPartnerId),
                  implementingPartner,
                ])}
                value={url.get("partner") ?? ""}
              />
            ) : null}
            <FilterChoiceField
              label="Account"
              name="account"
              options={Object.entries(accounts).map(([name, { label }]) => [name, label])}
              value={url.get("account") ?? ""}
            />
            <FilterChoiceField
              label="Privilege"
              name="role"
              options={Object.entries(roleCodes).map(([code, privilege]) => [code, privilegeTitles[privilege]])}
              value={url.get("role") ?? ""}
            />
            <ParameterField name="unseenSince" parameter={unseen} value={url.get("unseenSince") ?? ""} />
          </>
        }
        order={{ orders: userOrders, sorting }}
        search={<SearchForm label="Name or e-mail" />}
      >
        <ViewsButton />
      </ListBar>
      <QueryState query={answer} what={url.has("partner") ? "implementing partner" : "list of users"}>
        {({ users }) => (
          <PagedList
            fetchFrom={fetchFrom}
            list={users}
            label="Pages of users"
            isSized
            empty={noneMatch("Nobody", chips) ?? "Nobody matches."}
          >
            {(rows, total) => (
              <UsersTable
                caption={counted(total, "user")}
                rows={rows}
                sorting={sorting}
                withPartner={privileges.administrator}
              />
            )}
          </PagedList>
        )}
      </QueryState>
    </Page>
  );
}

/** The people that the viewer manages. They can be filtered by name, partner, account, privilege and last sign-in. */
export function UserDirectoryScreen() {
  return (
    <KnownFilters filters={userFilters}>
      <Users />
    </KnownFilters>
  );
}
