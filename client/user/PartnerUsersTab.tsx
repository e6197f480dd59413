import { Classes } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { routes } from "../routes.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { UsersTable } from "./UsersTable.tsx";
import "./UserSection.css";

const query = graphql(`
  query PartnerUsersTabQuery($implementingPartnerId: Int!, $offset: Int) {
    users(implementingPartnerId: $implementingPartnerId, first: 10, offset: $offset) {
      totalCount
      nodes { id ...UsersTable_User }
    }
  }
`);

const pageName = "userPage";
const read = (implementingPartnerId: number, url: URLSearchParams) => ({ implementingPartnerId, offset: offsetOf(url, pageName) });

export const loader = screenLoader(query, ({ params, url }) => read(idInPath(params["implementingPartnerId"]) ?? 0, url));

/** The people of a partner, for those who manage them. */
export function PartnerUsersTab({ implementingPartnerId }: { implementingPartnerId: number }) {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read(implementingPartnerId, url));
  return (
    <div className="user-section">
      <div>
        <Link className={Classes.BUTTON} to={routes.addUser()}>
          <AddIcon />
          <span className={Classes.BUTTON_TEXT}>Add User</span>
        </Link>
      </div>
      <QueryState query={answer} what="list of users">
        {({ users }) =>
          users ? (
            <PagedList total={users.totalCount} shown={users.nodes.length} label="Pages of users" pageName={pageName} empty="This partner has no users yet.">
              <UsersTable caption={counted(users.totalCount, "user")} rows={users.nodes} withPartner={false} />
            </PagedList>
          ) : null
        }
      </QueryState>
    </div>
  );
}
