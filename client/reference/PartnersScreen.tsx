import { useSearchParams } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import { FieldListNote } from "../facility/FieldListNote.tsx";
import { graphql } from "../gql/gql.ts";
import type { PartnersScreen_FiguresQuery, PartnersScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { counted } from "../ui/text/counted.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { siteColumns } from "./siteColumns.ts";
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

const figuresQuery = graphql(`
  query PartnersScreen_figures {
    facilityGroups(by: [IMPLEMENTING_PARTNER]) {
      implementingPartner { id }
      facilities assessed sumSmartCareFunctional
    }
  }
`);

type Partner = PartnersScreenQueryQuery["implementingPartners"]["nodes"][number];
type Figures = NonNullable<PartnersScreen_FiguresQuery["facilityGroups"]>[number];

function columnsWith(figures: ReadonlyMap<string, Figures>): Column<Partner>[] {
  const { sites, assessed, works } = siteColumns<Partner>(figures);
  return [
    {
      id: "name",
      header: "Implementing partner",
      rowHeader: true,
      cell: ({ implementingPartner }) => implementingPartner,
    },
    sites,
    assessed,
    { ...works, phone: "labelled" },
    {
      id: "view",
      header: "View",
      headerHidden: true,
      phone: "end",
      cell: ({ implementingPartnerId, implementingPartner }) => (
        <ScopeLink to={routes.partner(implementingPartnerId)} aria-label={`View ${implementingPartner}`}>
          View
        </ScopeLink>
      ),
    },
  ];
}

/** The active implementing partners. */
export function PartnersScreen() {
  const [url] = useSearchParams();
  const variables = read({ url });
  const answer = useScreenQuery(query, variables);
  const { data } = useScreenQuery(figuresQuery, {});
  const groups = data?.facilityGroups ?? [];
  const figures = new Map(
    groups.flatMap((group) => (group.implementingPartner ? [[group.implementingPartner.id, group] as const] : [])),
  );
  const fetchFrom = rowsFrom(query, variables, ({ implementingPartners }) => implementingPartners.nodes);
  return (
    <Page title="Implementing Partners" help={<TermButton term="partner" name="Implementing partner" />}>
      <PrintedNote answer={data} words={[]} />
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
                    columns={columnsWith(figures)}
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
