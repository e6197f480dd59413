import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { PartnerTdbsTabQueryQuery } from "../gql/graphql.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { useSystem } from "../shell/session/viewer.ts";
import type { Column } from "../ui/list/DataTable.tsx";
import { screenLoader } from "../urql.ts";
import { TdbList } from "./TdbList.tsx";
import { daysIn, readTdbList, type TdbListKind, useTdbs, tdbOrders } from "./tdbList.ts";
import { clientsColumn, createdColumn, dateColumn, deltaColumn, districtColumn, facilityColumn, fetchColumn, provinceColumn, timeColumn } from "./TdbsTable.tsx";

const query = graphql(`
  query PartnerTdbsTabQuery(
    $implementingPartnerId: Int!, $start: Date, $end: Date, $provinceId: Int, $districtId: Int
    $delta: Boolean, $createdStart: Date, $createdEnd: Date, $libraryVersion: String, $sender: String
    $overdue: Boolean, $modes: [PresentMode!], $sort: TdbSort, $first: Int = 10, $offset: Int
  ) {
    tdbs(
      implementingPartnerId: $implementingPartnerId, start: $start, end: $end, provinceId: $provinceId, districtId: $districtId
      delta: $delta, createdStart: $createdStart, createdEnd: $createdEnd, libraryVersion: $libraryVersion, sender: $sender
      overdue: $overdue, modes: $modes, sort: $sort, first: $first, offset: $offset
    ) {
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
        receiptRemoved
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

const kind: TdbListKind = { of: "partner", pageName: "tdbPage", orders: { ...tdbOrders, facility: "Facility" } };
const read = (implementingPartnerId: number, url: URLSearchParams) => ({ ...readTdbList(url, kind), implementingPartnerId });

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

/** The transport databases of a partner's facilities, the newest first unless sorted otherwise. */
export function PartnerTdbsTab({ implementingPartnerId }: { implementingPartnerId: number }) {
  const [url] = useSearchParams();
  const answer = useTdbs(query, read(implementingPartnerId, url));
  const range = daysIn(url, useSystem().today);
  return (
    <div className="stack">
      <TdbList
        about={{ implementingPartnerId: String(implementingPartnerId) }}
        answer={answer}
        columns={columns}
        empty="Nothing has been uploaded from this partner's facilities yet."
        fileOf="of this partner's TDBs"
        kind={kind}
        range={range}
      />
    </div>
  );
}
