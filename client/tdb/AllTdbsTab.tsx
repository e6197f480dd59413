import { AnchorButton, Button } from "@blueprintjs/core";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { AllTdbsTabQueryQuery } from "../gql/graphql.ts";
import { counted, formatNumber } from "../reference/counted.ts";
import { offsetOf } from "../reference/pageOffset.ts";
import { PagedList } from "../reference/PagedList.tsx";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/viewer.ts";
import { monthToDate, useDateRange } from "../ui/dateRange.ts";
import { DateRangeForm } from "../ui/DateRangeForm.tsx";
import { DataTable } from "../ui/DataTable.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { formatDate, formatTime } from "../ui/dates.ts";
import { QueryState } from "../ui/QueryState.tsx";
import { useScreenQuery } from "../urql.ts";
import { csvAddress, fileAddress } from "./addresses.ts";
import { TdbCountDialog } from "./TdbCountDialog.tsx";
import "./tdbs.css";

const query = graphql(`
  query AllTdbsTabQuery($start: Date!, $end: Date!, $offset: Int) {
    tdbs(start: $start, end: $end, first: 10, offset: $offset) {
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
        userFirstName
        userSurname
        implementingPartner { id implementingPartner }
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

const pageName = "allTdbPage";

type Row = NonNullable<AllTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  { id: "received", header: "Uploaded", rowHeader: true, cell: ({ uploadDate, uploadTime }) => `${formatDate(uploadDate)} ${formatTime(uploadTime)}` },
  { id: "facility", header: "Facility", cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link> },
  { id: "place", header: "District/Province", cell: ({ facility }) => `${facility.district.name}/${facility.province.name}` },
  { id: "delta", header: "Delta TDB", cell: ({ deltaTdb }) => (deltaTdb ? "Yes" : "No") },
  { id: "created", header: "Created", cell: ({ tdbCreationDate }) => formatDate(tdbCreationDate) },
  { id: "clients", header: "Clients", numeric: true, cell: ({ totalPatients }) => formatNumber(totalPatients) },
  { id: "size", header: "Size (MB)", numeric: true, cell: ({ fileSize }) => (fileSize / 1024 ** 2).toFixed(2) },
  {
    id: "sender",
    header: "User & IP",
    cell: ({ userFirstName, userSurname, implementingPartner }) =>
      [`${userFirstName} ${userSurname}`, implementingPartner?.implementingPartner].filter(Boolean).join(", "),
  },
  {
    id: "fetch",
    header: "File",
    headerHidden: true,
    cell: ({ uuid, fileName }) => (
      <a aria-label={`Fetch ${fileName}`} href={fileAddress(uuid)} download={fileName}>
        Fetch
      </a>
    ),
  },
];

/** All transport databases received in a range of days, the newest first, with their count and an export. */
export function AllTdbsTab() {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [pageName]);
  const [isCounting, setIsCounting] = useState(false);
  const answer = useScreenQuery(query, { ...range, offset: offsetOf(url, pageName) });
  return (
    <div className="tdbs">
      <div className="tdbs-controls">
        <DateRangeForm
          range={range}
          isFetching={answer.fetching}
          onRefresh={(asked) => (asked.start === range.start && asked.end === range.end ? answer.reload() : setRange(asked))}
        />
        <div className="tdbs-actions">
          <AnchorButton href={csvAddress(range)} download text="Export CSV" />
          <Button onClick={() => setIsCounting(true)} text="TDB total count" />
        </div>
      </div>
      <TdbCountDialog isOpen={isCounting} onClose={() => setIsCounting(false)} range={range} />
      <QueryState query={answer} what="list of TDBs">
        {({ tdbs }) =>
          tdbs ? (
            <PagedList total={tdbs.totalCount} shown={tdbs.nodes.length} label="Pages of TDBs" pageName={pageName} empty="No TDBs were uploaded on these days.">
              <DataTable caption={counted(tdbs.totalCount, "TDB")} columns={columns} rowKey={({ id }) => id} rows={tdbs.nodes} />
            </PagedList>
          ) : null
        }
      </QueryState>
    </div>
  );
}
