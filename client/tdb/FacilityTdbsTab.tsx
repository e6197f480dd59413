import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { FacilityTdbsTabQueryQuery } from "../gql/graphql.ts";
import { counted, formatNumber } from "../reference/counted.ts";
import { offsetOf } from "../reference/pageOffset.ts";
import { PagedList } from "../reference/PagedList.tsx";
import { DataTable } from "../ui/DataTable.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { formatDate, formatTime } from "../ui/dates.ts";
import { QueryState } from "../ui/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { formatFileSize } from "./fileSize.ts";

const query = graphql(`
  query FacilityTdbsTabQuery($facilityUuid: String!, $offset: Int) {
    tdbs(facilityUuid: $facilityUuid, first: 10, offset: $offset) {
      totalCount
      nodes { id uploadDate uploadTime deltaTdb tdbCreationDate totalPatients fileSize }
    }
  }
`);

const pageName = "tdbPage";
const read = (facilityUuid: string, url: URLSearchParams) => ({ facilityUuid, offset: offsetOf(url, pageName) });

export const loader = screenLoader(query, ({ params, url }) => read(params.facilityUuid ?? "", url));

type Row = NonNullable<FacilityTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  { id: "date", header: "Date", rowHeader: true, cell: ({ uploadDate }) => formatDate(uploadDate) },
  { id: "time", header: "Time", cell: ({ uploadTime }) => formatTime(uploadTime) },
  { id: "delta", header: "Delta TDB", cell: ({ deltaTdb }) => (deltaTdb ? "Yes" : "No") },
  { id: "created", header: "Creation Date", cell: ({ tdbCreationDate }) => formatDate(tdbCreationDate) },
  { id: "clients", header: "Number of clients", numeric: true, cell: ({ totalPatients }) => formatNumber(totalPatients) },
  { id: "size", header: "Size", numeric: true, cell: ({ fileSize }) => formatFileSize(fileSize) },
];

/** The transport databases that a facility sent, the newest first. */
export function FacilityTdbsTab({ facilityUuid }: { facilityUuid: string }) {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read(facilityUuid, url));
  return (
    <QueryState query={answer} what="list of TDBs">
      {({ tdbs }) =>
        tdbs ? (
          <PagedList
            total={tdbs.totalCount}
            shown={tdbs.nodes.length}
            label="Pages of TDBs"
            pageName={pageName}
            empty="Nothing has been uploaded from this facility yet."
          >
            <DataTable caption={counted(tdbs.totalCount, "TDB")} columns={columns} rowKey={({ id }) => id} rows={tdbs.nodes} />
          </PagedList>
        ) : null
      }
    </QueryState>
  );
}
