import { Link, type LoaderFunction, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ClosedTabQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { currentSession } from "../shell/session/session.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query ClosedTabQuery($offset: Int) {
    facilities(filter: { closed: true }, first: 10, offset: $offset) {
      totalCount
      nodes { id facilityUuid facilityName closedOn closeReason district { id name } province { id name } state { lastVisitDate } }
    }
  }
`);

const read = (url: URLSearchParams) => ({ offset: offsetOf(url) });
export const loader: LoaderFunction = (args) =>
  currentSession().state === "signedIn" ? screenLoader(query, ({ url }) => read(url))(args) : null;

type Closed = ClosedTabQueryQuery["facilities"]["nodes"][number];
const columns: Column<Closed>[] = [
  {
    id: "name",
    header: "Facility",
    rowHeader: true,
    cell: ({ facilityUuid, facilityName }) => <Link to={routes.facility(facilityUuid)}>{facilityName}</Link>,
  },
  { id: "district", header: "District", phone: "line", cell: ({ district }) => district.name },
  { id: "province", header: "Province", cell: ({ province }) => province.name },
  {
    id: "day",
    header: "Closed since",
    oneLine: true,
    phone: "end",
    cell: ({ closedOn }) => (closedOn ? formatDate(closedOn) : "–"),
  },
  { id: "reason", header: "Reason", phone: "line", cell: ({ closeReason }) => closeReason ?? "–" },
  {
    // A visit after the closing day means that the facility is open, or that the day is wrong.
    id: "visit",
    header: "Last visit",
    cell: ({ closedOn, state: { lastVisitDate } }) =>
      lastVisitDate ? (
        <>
          {formatDate(lastVisitDate)}
          {closedOn && lastVisitDate > closedOn ? <strong className="note is-line">after it was closed</strong> : null}
        </>
      ) : (
        "–"
      ),
  },
];

/** The closed facilities, which other lists leave out. */
export function ClosedTab() {
  const [url] = useSearchParams();
  const asked = read(url);
  const answer = useScreenQuery(query, asked);
  return (
    <QueryState query={answer} what="list of closed facilities">
      {({ facilities }) => (
        <PagedList empty="No facility is closed." label="Pages of closed facilities" list={facilities}>
          {(rows) => (
            <DataTable
              caption="Closed facilities"
              captionHidden
              columns={columns}
              opensAs={({ facilityName }) => facilityName}
              rowKey={({ id }) => id}
              rows={rows}
            />
          )}
        </PagedList>
      )}
    </QueryState>
  );
}
