import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { FacilityTdbsTabQueryQuery } from "../gql/graphql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import type { Column } from "../ui/list/DataTable.tsx";
import { screenLoader } from "../urql.ts";
import { daysIn, readTdbList, type TdbListKind, useTdbs, tdbOrders } from "./tdbList.ts";
import {
  clientsColumn,
  createdColumn,
  dateColumn,
  deltaColumn,
  fetchColumn,
  sizeColumn,
  timeColumn,
  TdbList,
} from "./TdbList.tsx";

const query = graphql(`
  query FacilityTdbsTabQuery(
    $facilityUuid: String!, $start: Date, $end: Date
    $delta: Boolean, $createdStart: Date, $createdEnd: Date, $libraryVersion: String, $sender: String
    $sort: TdbSort, $first: Int = 10, $offset: Int
  ) {
    tdbs(
      facilityUuid: $facilityUuid, start: $start, end: $end
      delta: $delta, createdStart: $createdStart, createdEnd: $createdEnd, libraryVersion: $libraryVersion, sender: $sender
      sort: $sort, first: $first, offset: $offset
    ) {
      totalCount
      nodes { id uuid uploadDate uploadTime deltaTdb tdbCreationDate libraryVersion totalPatients fileSize fileName sha256 contentRemoved receiptRemoved setAside { reason } held }
    }
  }
`);

const kind: TdbListKind = { of: "facility", pageName: "tdbPage", orders: { ...tdbOrders, size: "Size" } };
const read = (facilityUuid: string, url: URLSearchParams) => ({ ...readTdbList(url, kind), facilityUuid });

export const loader = screenLoader(query, ({ params, url }) => read(params.facilityUuid ?? "", url));

type Row = NonNullable<FacilityTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  dateColumn,
  timeColumn,
  { ...deltaColumn, phone: "labelled" },
  createdColumn("Creation Date"),
  { id: "version", header: "Library version", cell: ({ libraryVersion }) => libraryVersion ?? "–" },
  { ...clientsColumn("Number of clients"), phone: "labelled" },
  sizeColumn,
  fetchColumn,
];

/** The transport databases that a facility sent, the newest first unless sorted otherwise. */
export function FacilityTdbsTab({ facilityUuid }: { facilityUuid: string }) {
  const [url] = useSearchParams();
  const answer = useTdbs(query, read(facilityUuid, url));
  const range = daysIn(url, useSystem().today);
  return (
    <TdbList
      about={{ facilityUuid }}
      answer={answer}
      columns={columns}
      empty="Nothing has been uploaded from this facility yet."
      fileOf="of this facility's TDBs"
      kind={kind}
      range={range}
    />
  );
}
