import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { AllTdbsTabQueryQuery } from "../gql/graphql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { TdbCountDialog } from "./TdbCountDialog.tsx";
import { TdbList } from "./TdbList.tsx";
import { readTdbList, type TdbListKind, useTdbs, tdbOrders } from "./tdbList.ts";
import { clientsColumn, createdColumn, deltaColumn, facilityColumn, fetchColumn, placeColumn, receivedColumn } from "./TdbsTable.tsx";

const query = graphql(`
  query AllTdbsTabQuery(
    $start: Date!, $end: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
    $delta: Boolean, $createdStart: Date, $createdEnd: Date, $libraryVersion: String, $sender: String
    $overdue: Boolean, $modes: [PresentMode!], $sort: TdbSort, $first: Int = 10, $offset: Int
  ) {
    tdbs(
      start: $start, end: $end, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
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
        fileSize
        fileName
        sha256
        contentRemoved
        receiptRemoved
        userFirstName
        userSurname
        implementingPartner { id implementingPartner }
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

const kind: TdbListKind = { of: "all", pageName: "allTdbPage", orders: { ...tdbOrders, facility: "Facility", size: "Size" } };

type Row = NonNullable<AllTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  receivedColumn("Uploaded"),
  facilityColumn,
  placeColumn,
  deltaColumn,
  createdColumn("Created"),
  clientsColumn("Clients"),
  { id: "size", header: "Size (MB)", sort: "size", numeric: true, cell: ({ fileSize }) => (fileSize / 1024 ** 2).toFixed(2) },
  {
    id: "sender",
    header: "User & IP",
    cell: ({ userFirstName, userSurname, implementingPartner }) =>
      [`${userFirstName} ${userSurname}`, implementingPartner?.implementingPartner].filter(Boolean).join(", "),
  },
  fetchColumn,
];

/** All transport databases received in a range of days, the newest first unless sorted otherwise, with their count and an export. */
export function AllTdbsTab() {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [kind.pageName]);
  const [isCounting, setIsCounting] = useState(false);
  const answer = useTdbs(query, { ...readTdbList(url, kind), ...range });
  return (
    <div className="stack">
      <DateRangeForm isFetching={answer.fetching} onChange={setRange} onReload={answer.reload} range={range} />
      <TdbCountDialog isOpen={isCounting} onClose={() => setIsCounting(false)} range={range} />
      <TdbList answer={answer} columns={columns} empty="No TDBs were uploaded on these days." fileOf="of the TDBs of these days" kind={kind} range={range}>
        <Button onClick={() => setIsCounting(true)} text="TDB total count" />
      </TdbList>
    </div>
  );
}
