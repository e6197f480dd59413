import { useSearchParams } from "react-router-dom";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import type { Column } from "../ui/list/DataTable.tsx";
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

const kind: TdbListKind = { of: "user", pageName: "tdbPage", orders: { ...tdbOrders, facility: "Facility" } };

const columns: Column<TdbRow>[] = [
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
  const answer = useTdbs(tdbsQuery, { ...readTdbList(url, kind), userUuid, ...range });
  return (
    <TdbList
      about={{ userUuid }}
      answer={answer}
      columns={columns}
      empty="No TDBs were uploaded on these days."
      fileOf="of this person's TDBs of these days"
      kind={kind}
      onRange={setRange}
      range={range}
    />
  );
}
