import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { UserTdbsTabQueryQuery } from "../gql/graphql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { TdbList } from "./TdbList.tsx";
import { readTdbList, type TdbListKind, useTdbs, tdbOrders } from "./tdbList.ts";
import { clientsColumn, createdColumn, deltaColumn, facilityColumn, fetchColumn, placeColumn, receivedColumn } from "./TdbsTable.tsx";

const query = graphql(`
  query UserTdbsTabQuery(
    $userUuid: String!, $start: Date!, $end: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
    $delta: Boolean, $createdStart: Date, $createdEnd: Date, $libraryVersion: String
    $overdue: Boolean, $modes: [PresentMode!], $sort: TdbSort, $first: Int = 10, $offset: Int
  ) {
    tdbs(
      userUuid: $userUuid, start: $start, end: $end, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      delta: $delta, createdStart: $createdStart, createdEnd: $createdEnd, libraryVersion: $libraryVersion
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

const kind: TdbListKind = { of: "user", pageName: "tdbPage", orders: { ...tdbOrders, facility: "Facility" } };

type Row = NonNullable<UserTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  receivedColumn("DateTime"),
  facilityColumn,
  placeColumn,
  deltaColumn,
  createdColumn("Created"),
  clientsColumn("Number of clients"),
  fetchColumn,
];

/** The transport databases that a person sent in a range of days, the newest first unless sorted otherwise. */
export function UserTdbsTab({ userUuid }: { userUuid: string }) {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [kind.pageName]);
  const answer = useTdbs(query, { ...readTdbList(url, kind), userUuid, ...range });
  return (
    <div className="stack">
      <DateRangeForm isFetching={answer.fetching} onChange={setRange} onReload={answer.reload} range={range} />
      <TdbList
        about={{ userUuid }}
        answer={answer}
        columns={columns}
        empty="No TDBs were uploaded on these days."
        fileOf="of this person's TDBs of these days"
        kind={kind}
        range={range}
      />
    </div>
  );
}
