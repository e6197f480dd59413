import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ReconciliationsScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { Suggestions, TextField } from "../ui/field/TextField.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { ListFileForm } from "./ListFileForm.tsx";
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

export const loader = guarded(
  "editRegistry",
  screenLoader(query, ({ url }) => ({ offset: offsetOf(url) })),
);

type Reconciliation = NonNullable<ReconciliationsScreenQueryQuery["registryReconciliations"]>["nodes"][number];
const columns: Column<Reconciliation>[] = [
  {
    id: "source",
    header: "Whose list",
    rowHeader: true,
    cell: ({ uuid, source }) => <Link to={routes.reconciliation(uuid)}>{source}</Link>,
  },
  {
    id: "when",
    header: "Compared",
    oneLine: true,
    phone: "line",
    cell: ({ createdDate, createdTime }) => `${formatDate(createdDate)}, ${createdTime}`,
  },
  { id: "rows", header: "Facilities there", numeric: true, phone: "labelled", cell: ({ rows }) => formatNumber(rows) },
  { id: "equal", header: "The same", numeric: true, cell: ({ equal }) => formatNumber(equal) },
  { id: "found", header: "Findings", numeric: true, cell: ({ found }) => formatNumber(found) },
  { id: "open", header: "Open", numeric: true, phone: "end", cell: ({ open }) => formatNumber(open) },
  { id: "who", header: "By", cell: ({ userName }) => userName ?? "–" },
];

/** Sends the list of another system, and opens the findings of the comparison. */
function ComparisonForm({ sources }: { sources: readonly string[] }) {
  const [source, setSource] = useState(sources[0] ?? "");
  const [level, setLevel] = useState("");
  return (
    <ListFileForm
      accept=".csv,.json,text/csv,application/json"
      beside={{ source: source.trim(), level }}
      button="Compare"
      check={() => (source.trim() === "" ? { path: "source", message: "Say whose list it is." } : undefined)}
      label="List (CSV or JSON)"
      note="DHIS2's organisation units as CSV or as the JSON of its API (paging=false), or a list of facilities as CSV with the columns of an import. Only what the list has columns for is compared. Nothing is changed."
      path="/api/v1/registry/reconciliations"
      routeOf={routes.reconciliation}
    >
      {(file, faultOf) => (
        <div className="grid">
          <TextField
            error={faultOf("source")}
            field={{ name: "source", value: source, onChange: ({ currentTarget }) => setSource(currentTarget.value) }}
            isRequired
            label="Whose list"
            suggestions="reconciliation-sources"
          />
          <Suggestions
            id="reconciliation-sources"
            values={sources.length > 0 ? sources : ["DHIS2", "Ministry's public list"]}
          />
          {file}
          <TextField
            error={faultOf("level")}
            field={{ name: "level", value: level, onChange: ({ currentTarget }) => setLevel(currentTarget.value) }}
            help="Of organisation units; without it the deepest"
            inputMode="numeric"
            label="Level of facilities"
          />
        </div>
      )}
    </ListFileForm>
  );
}

/** Comparisons of the registry with other lists, the newest first, and the way to make one. */
export function ReconciliationsScreen() {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, { offset: offsetOf(url) });
  return (
    <QueryState query={answer} what="list of comparisons">
      {({ registryReconciliations }) =>
        registryReconciliations ? (
          <Page title="Reconciliation" subtitle={<Link to={routes.registry()}>Registry</Link>}>
            <RegistrySection
              fold={registryReconciliations.totalCount > 0 ? "new" : undefined}
              title="Compare with another list"
            >
              <ComparisonForm sources={[...new Set(registryReconciliations.nodes.map(({ source }) => source))]} />
            </RegistrySection>
            <PagedList
              empty="The registry was not compared with a list yet."
              label="Pages of comparisons"
              list={registryReconciliations}
            >
              {(rows) => (
                <DataTable
                  caption="Comparisons"
                  columns={columns}
                  opensAs={({ source }) => `the comparison with ${source}`}
                  rowKey={({ uuid }) => uuid}
                  rows={rows}
                />
              )}
            </PagedList>
          </Page>
        ) : null
      }
    </QueryState>
  );
}
