import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { AllTdbsTabQueryQuery, TdbSort } from "../gql/graphql.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { sortIn, sortValue, useSorting } from "../ui/filter/listSort.ts";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { useScreenQuery } from "../urql.ts";
import { csvAddress } from "./addresses.ts";
import { TdbCountDialog } from "./TdbCountDialog.tsx";
import { clientsColumn, createdColumn, deltaColumn, facilityColumn, fetchColumn, placeColumn, receivedColumn, TdbsTable } from "./TdbsTable.tsx";
import "./tdbs.css";

const query = graphql(`
  query AllTdbsTabQuery($start: Date!, $end: Date!, $sort: TdbSort, $first: Int = 10, $offset: Int) {
    tdbs(start: $start, end: $end, sort: $sort, first: $first, offset: $offset) {
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
        userFirstName
        userSurname
        implementingPartner { id implementingPartner }
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

const pageName = "allTdbPage";
const sortKeys = ["uploaded", "created", "facility", "size"];

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

/** All transport databases received in a range of days, the newest first, with their count and an export. */
export function AllTdbsTab() {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [pageName]);
  const sort = sortIn(url, sortKeys);
  const [isCounting, setIsCounting] = useState(false);
  const answer = useScreenQuery(query, {
    ...range,
    sort: sort === undefined ? undefined : (sortValue(sort) as TdbSort),
    first: rowsIn(url),
    offset: offsetOf(url, pageName, rowsIn(url)),
  });
  const sorting = useSorting(sortKeys, "-uploaded", pageName);
  return (
    <div className="tdbs">
      <div className="card tdbs-controls">
        <DateRangeForm
          range={range}
          isFetching={answer.fetching}
          onRefresh={(asked) => (asked.start === range.start && asked.end === range.end ? answer.reload() : setRange(asked))}
        />
        <div className="tdbs-actions">
          <ExportButton href={csvAddress(range)} label="of the TDBs of these days" />
          <Button onClick={() => setIsCounting(true)} text="TDB total count" />
        </div>
      </div>
      <TdbCountDialog isOpen={isCounting} onClose={() => setIsCounting(false)} range={range} />
      <TdbsTable answer={answer} columns={columns} pageName={pageName} sorting={sorting} empty="No TDBs were uploaded on these days." />
    </div>
  );
}
