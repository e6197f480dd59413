import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import type { Column } from "../ui/list/DataTable.tsx";
import { TdbCountDialog } from "./TdbCountDialog.tsx";
import { readTdbList, type TdbListKind, tdbOrders, type TdbRow, tdbsQuery, useTdbs } from "./tdbList.ts";
import {
  clientsColumn,
  createdColumn,
  deltaColumn,
  facilityColumn,
  fetchColumn,
  placeColumn,
  receivedColumn,
  TdbList,
} from "./TdbList.tsx";

const kind: TdbListKind = {
  of: "all",
  pageName: "allTdbPage",
  orders: { ...tdbOrders, facility: "Facility", size: "Size" },
};

const columns: Column<TdbRow>[] = [
  receivedColumn("Uploaded"),
  facilityColumn,
  placeColumn,
  deltaColumn,
  createdColumn("Created"),
  clientsColumn("Clients"),
  {
    id: "size",
    header: "Size (MB)",
    sort: "size",
    numeric: true,
    cell: ({ fileSize }) => (fileSize / 1024 ** 2).toFixed(2),
  },
  {
    id: "sender",
    header: "User & IP",
    cell: ({ userFirstName, userSurname, implementingPartner }) =>
      [`${userFirstName} ${userSurname}`, implementingPartner?.implementingPartner].filter(Boolean).join(", "),
  },
  fetchColumn,
];

/**
 * All transport databases received in a range of days, the newest first unless sorted otherwise, with their count and
 * an export.
 */
export function AllTdbsTab() {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [kind.pageName]);
  const [isCounting, setIsCounting] = useState(false);
  const answer = useTdbs(tdbsQuery, { ...readTdbList(url, kind), ...range });
  return (
    <TdbList
      answer={answer}
      columns={columns}
      empty="No TDBs were uploaded on these days."
      fileOf="of the TDBs of these days"
      kind={kind}
      onRange={setRange}
      range={range}
    >
      <Button onClick={() => setIsCounting(true)} text="TDB total count" />
      <TdbCountDialog isOpen={isCounting} onClose={() => setIsCounting(false)} range={range} />
    </TdbList>
  );
}
