import { useSearchParams } from "react-router-dom";
import { FieldListNote } from "../facility/FieldListNote.tsx";
import { graphql } from "../gql/gql.ts";
import type { PartnersScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { counted } from "../ui/text/counted.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import "./PartnersScreen.css";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const query = graphql(`
  query PartnersScreenQuery($first: Int = 10, $offset: Int) {
    implementingPartners(active: true, first: $first, offset: $offset) {
      totalCount
      nodes { id implementingPartnerId implementingPartner }
    }
  }
`);

const read = ({ url }: { url: URLSearchParams }) => ({ offset: offsetOf(url) });

export const loader = screenLoader(query, read);

type Partner = PartnersScreenQueryQuery["implementingPartners"]["nodes"][number];

const columns: Column<Partner>[] = [
  {
    id: "name",
    header: "Implementing partner",
    rowHeader: true,
    cell: ({ implementingPartner }) => implementingPartner,
  },
  {
    id: "view",
    header: "View",
    headerHidden: true,
    cell: ({ implementingPartnerId, implementingPartner }) => (
      <ScopeLink to={routes.partner(implementingPartnerId)} aria-label={`View ${implementingPartner}`}>
        View
      </ScopeLink>
    ),
  },
];

/** The active implementing partners. */
export function PartnersScreen() {
  const [url] = useSearchParams();
  const variables = read({ url });
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ implementingPartners }) => implementingPartners.nodes);
  return (
    <Page title="Implementing Partners">
      <div className="partners">
        <QueryState query={answer} what="list of partners">
          {({ implementingPartners }) => (
            <>
              <FieldListNote query={answer} />
              <PagedList
                fetchFrom={fetchFrom}
                list={implementingPartners}
                label="Pages of partners"
                empty="There is no active partner yet."
              >
                {(rows) => (
                  <DataTable
                    caption={counted(implementingPartners.totalCount, "active partner")}
                    columns={columns}
                    rowKey={({ id }) => id}
                    rows={rows}
                  />
                )}
              </PagedList>
            </>
          )}
        </QueryState>
      </div>
    </Page>
  );
}
