import { useSearchParams } from "react-router-dom";
import { idInPath } from "../ui/list/idInPath.ts";
import { useSystem } from "../shell/session/viewer.ts";
import type { Column } from "../ui/list/DataTable.tsx";
import { screenLoader } from "../urql.ts";
import { daysIn, readTdbList, type TdbListKind, tdbOrders, type TdbRow, tdbsQuery, useTdbs } from "./tdbList.ts";
import {
  clientsColumn,
  createdColumn,
  dateColumn,
  deltaColumn,
  districtColumn,
  facilityColumn,
  fetchColumn,
  provinceColumn,
  timeColumn,
  TdbList,
} from "./TdbList.tsx";

const kind: TdbListKind = { of: "partner", pageName: "tdbPage", orders: { ...tdbOrders, facility: "Facility" } };
const read = (implementingPartnerId: number, url: URLSearchParams) => ({
  ...readTdbList(url, kind),
  implementingPartnerId,
});

export const loader = screenLoader(tdbsQuery, ({ params, url }) =>
  read(idInPath(params.implementingPartnerId) ?? 0, url),
);

const columns: Column<TdbRow>[] = [
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
  const answer = useTdbs(tdbsQuery, read(implementingPartnerId, url));
  const range = daysIn(url, useSystem().today);
  return (
    <TdbList
      about={{ implementingPartnerId: String(implementingPartnerId) }}
      answer={answer}
      columns={columns}
      empty="Nothing has been uploaded from this partner's facilities yet."
      fileOf="of this partner's TDBs"
      kind={kind}
      range={range}
    />
  );
}
