import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { PartnerTdbsTabQueryQuery } from "../gql/graphql.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import type { Column } from "../ui/list/DataTable.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { clientsColumn, createdColumn, dateColumn, deltaColumn, districtColumn, facilityColumn, fetchColumn, provinceColumn, timeColumn, TdbsTable } from "./TdbsTable.tsx";

const query = graphql(`
  query PartnerTdbsTabQuery($implementingPartnerId: Int!, $offset: Int) {
    tdbs(implementingPartnerId: $implementingPartnerId, first: 10, offset: $offset) {
      totalCount
      nodes {
        id
        uuid
        uploadDate
        uploadTime
        deltaTdb
        tdbCreationDate
        totalPatients
        fileName
        sha256
        contentRemoved
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
  dateColumn,
  timeColumn,
  facilityColumn,
  districtColumn,
  provinceColumn,
  deltaColumn,
  createdColumn("Creation Date"),
  clientsColumn("Number of clients"),
  fetchColumn,
];

/** The transport databases of a partner's facilities, the newest first. */
export function PartnerTdbsTab({ implementingPartnerId }: { implementingPartnerId: number }) {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read(implementingPartnerId, url));
  return <TdbsTable answer={answer} columns={columns} pageName={pageName} empty="Nothing has been uploaded from this partner's facilities yet." />;
}
