import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ReconciliationsScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { ReconciliationFileForm } from "./ReconciliationFileForm.tsx";
import { RegistrySection } from "./RegistrySection.tsx";
import "./registry.css";

const query = graphql(`
  query ReconciliationsScreenQuery($offset: Int) {
    registryReconciliations(first: 10, offset: $offset) {
      totalCount
      nodes { uuid source fileName rows equal found open createdDate createdTime userName }
    }
  }
`);

export const loader = guarded("editRegistry", screenLoader(query, ({ url }) => ({ offset: offsetOf(url) })));

type Reconciliation = NonNullable<ReconciliationsScreenQueryQuery["registryReconciliations"]>["nodes"][number];
const columns: Column<Reconciliation>[] = [
  { id: "source", header: "Whose list", rowHeader: true, cell: ({ uuid, source }) => <Link to={routes.reconciliation(uuid)}>{source}</Link> },
  { id: "when", header: "Compared", oneLine: true, cell: ({ createdDate, createdTime }) => `${formatDate(createdDate)}, ${createdTime}` },
  { id: "rows", header: "Facilities there", numeric: true, cell: ({ rows }) => formatNumber(rows) },
  { id: "equal", header: "The same", numeric: true, cell: ({ equal }) => formatNumber(equal) },
  { id: "found", header: "Findings", numeric: true, cell: ({ found }) => formatNumber(found) },
  { id: "open", header: "Open", numeric: true, cell: ({ open }) => formatNumber(open) },
  { id: "who", header: "By", cell: ({ userName }) => userName ?? "–" },
];

/** Comparisons of the registry with other lists, the newest first, and the way to make one. */
export function ReconciliationsScreen() {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, { offset: offsetOf(url) });
  return (
    <QueryState query={answer} what="list of comparisons">
      {({ registryReconciliations }) =>
        registryReconciliations ? (
          <Page title="Reconciliation" subtitle={<Link to={routes.registry()}>Registry</Link>}>
            <RegistrySection title="Compare with another list">
              <ReconciliationFileForm sources={[...new Set(registryReconciliations.nodes.map(({ source }) => source))]} />
            </RegistrySection>
            <PagedList empty="The registry was not compared with a list yet." label="Pages of comparisons" list={registryReconciliations}>
              {(rows) => <DataTable caption="Comparisons" columns={columns} rowKey={({ uuid }) => uuid} rows={rows} />}
            </PagedList>
          </Page>
        ) : null
      }
    </QueryState>
  );
}
