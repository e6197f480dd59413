import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ImportsScreenQueryQuery } from "../gql/graphql.ts";
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
import { ListFileForm } from "./ListFileForm.tsx";
import { statusTitles } from "./listWords.ts";
import { RegistrySection } from "./RegistrySection.tsx";
import "./registry.css";

const query = graphql(`
  query ImportsScreenQuery($offset: Int) {
    registryImports(first: 10, offset: $offset) {
      totalCount
      nodes { uuid fileName status rows createdDate createdTime userName }
    }
  }
`);

export const loader = guarded(
  "editRegistry",
  screenLoader(query, ({ url }) => ({ offset: offsetOf(url) })),
);

type Import = NonNullable<ImportsScreenQueryQuery["registryImports"]>["nodes"][number];
const columns: Column<Import>[] = [
  {
    id: "file",
    header: "File",
    rowHeader: true,
    cell: ({ uuid, fileName }) => <Link to={routes.registryImport(uuid)}>{fileName}</Link>,
  },
  { id: "status", header: "State", oneLine: true, phone: "end", cell: ({ status }) => statusTitles[status] },
  { id: "rows", header: "Rows", numeric: true, phone: "labelled", cell: ({ rows }) => formatNumber(rows) },
  {
    id: "when",
    header: "Sent",
    oneLine: true,
    phone: "line",
    cell: ({ createdDate, createdTime }) => `${formatDate(createdDate)}, ${createdTime}`,
  },
  { id: "who", header: "By", phone: "line", cell: ({ userName }) => userName ?? "–" },
];

/** Lists of facilities that were sent for review, the newest first, and the way to send one. */
export function ImportsScreen() {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, { offset: offsetOf(url) });
  return (
    <Page title="Imports" subtitle={<Link to={routes.registry()}>Registry</Link>}>
      <QueryState query={answer} what="list of imports">
        {({ registryImports }) => (
          <>
            <RegistrySection fold={registryImports?.totalCount ? "new" : undefined} title="Import a list">
              <ListFileForm
                accept=".csv,.tsv,.txt,.xlsx,.json,.geojson,text/csv,application/json"
                beside={{ step: "read" }}
                button="Read this file"
                label="List of facilities"
                note="CSV of any spreadsheet, .xlsx, GeoJSON points, DHIS2’s organisation units or a FHIR bundle. First you see how the file was read, then what each row would change. Nothing changes before you apply it."
                path="/api/v1/registry/import"
                routeOf={(uuid) => routes.registryImport(uuid, "read")}
              />
            </RegistrySection>
            <PagedList empty="No list was imported." label="Pages of imports" list={registryImports}>
              {(rows) => <DataTable caption="Imports" columns={columns} rowKey={({ uuid }) => uuid} rows={rows} />}
            </PagedList>
          </>
        )}
      </QueryState>
    </Page>
  );
}
