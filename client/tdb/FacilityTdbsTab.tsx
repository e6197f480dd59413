import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { FacilityTdbsTabQueryQuery } from "../gql/graphql.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import type { Column } from "../ui/list/DataTable.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { clientsColumn, createdColumn, dateColumn, deltaColumn, fetchColumn, sizeColumn, timeColumn, TdbsTable } from "./TdbsTable.tsx";

const query = graphql(`
  query FacilityTdbsTabQuery($facilityUuid: String!, $offset: Int) {
    tdbs(facilityUuid: $facilityUuid, first: 10, offset: $offset) {
      totalCount
      nodes { id uuid uploadDate uploadTime deltaTdb tdbCreationDate totalPatients fileSize fileName sha256 contentRemoved }
    }
  }
`);

const pageName = "tdbPage";
const read = (facilityUuid: string, url: URLSearchParams) => ({ facilityUuid, offset: offsetOf(url, pageName) });

export const loader = screenLoader(query, ({ params, url }) => read(params.facilityUuid ?? "", url));

type Row = NonNullable<FacilityTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  dateColumn,
  timeColumn,
  deltaColumn,
  createdColumn("Creation Date"),
  clientsColumn("Number of clients"),
  sizeColumn,
  fetchColumn,
];

/** The transport databases that a facility sent, the newest first. */
export function FacilityTdbsTab({ facilityUuid }: { facilityUuid: string }) {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read(facilityUuid, url));
  return <TdbsTable answer={answer} columns={columns} pageName={pageName} empty="Nothing has been uploaded from this facility yet." />;
}
