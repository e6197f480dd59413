import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { PartnerTdbsTabQueryQuery } from "../gql/graphql.ts";
import { counted, formatNumber } from "../reference/counted.ts";
import { idInPath } from "../reference/idInPath.ts";
import { offsetOf } from "../reference/pageOffset.ts";
import { PagedList } from "../reference/PagedList.tsx";
import { routes } from "../routes.ts";
import { DataTable } from "../ui/DataTable.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { formatDate, formatTime } from "../ui/dates.ts";
import { QueryState } from "../ui/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query PartnerTdbsTabQuery($implementingPartnerId: Int!, $offset: Int) {
    tdbs(implementingPartnerId: $implementingPartnerId, first: 10, offset: $offset) {
      totalCount
      nodes {
        id
        uploadDate
        uploadTime
        deltaTdb
        tdbCreationDate
        totalPatients
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

const pageName = "tdbPage";
const read = (implementingPartnerId: number, url: URLSearchParams) => ({ implementingPartnerId, offset: offsetOf(url, pageName) });

export const loader = screenLoader(query, ({ params, url }) => read(idInPath(params.implementingPartnerId) ?? 0, url));

type Row = NonNullable<PartnerTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  { id: "date", header: "Date", rowHeader: true, cell: ({ uploadDate }) => formatDate(uploadDate) },
  { id: "time", header: "Time", cell: ({ uploadTime }) => formatTime(uploadTime) },
  {
    id: "facility",
    header: "Facility",
    cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
  },
  { id: "district", header: "District", cell: ({ facility }) => facility.district.name },
  { id: "province", header: "Province", cell: ({ facility }) => facility.province.name },
  { id: "delta", header: "Delta TDB", cell: ({ deltaTdb }) => (deltaTdb ? "Yes" : "No") },
  { id: "created", header: "Creation Date", cell: ({ tdbCreationDate }) => formatDate(tdbCreationDate) },
  { id: "clients", header: "Number of clients", numeric: true, cell: ({ totalPatients }) => formatNumber(totalPatients) },
];

/** The transport databases of a partner's facilities, the newest first. */
export function PartnerTdbsTab({ implementingPartnerId }: { implementingPartnerId: number }) {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read(implementingPartnerId, url));
  return (
    <QueryState query={answer} what="list of TDBs">
      {({ tdbs }) =>
        tdbs ? (
          <PagedList
            total={tdbs.totalCount}
            shown={tdbs.nodes.length}
            label="Pages of TDBs"
            pageName={pageName}
            empty="Nothing has been uploaded from this partner's facilities yet."
          >
            <DataTable caption={counted(tdbs.totalCount, "TDB")} columns={columns} rowKey={({ id }) => id} rows={tdbs.nodes} />
          </PagedList>
        ) : null
      }
    </QueryState>
  );
}
