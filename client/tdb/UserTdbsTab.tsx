import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { UserTdbsTabQueryQuery } from "../gql/graphql.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { useScreenQuery } from "../urql.ts";
import { clientsColumn, createdColumn, deltaColumn, facilityColumn, fetchColumn, placeColumn, receivedColumn, TdbsTable } from "./TdbsTable.tsx";
import "./tdbs.css";

const query = graphql(`
  query UserTdbsTabQuery($userUuid: String!, $start: Date!, $end: Date!, $offset: Int) {
    tdbs(userUuid: $userUuid, start: $start, end: $end, first: 10, offset: $offset) {
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
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

const pageName = "tdbPage";

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

/** The transport databases that a person sent in a range of days, the newest first. */
export function UserTdbsTab({ userUuid }: { userUuid: string }) {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [pageName]);
  const answer = useScreenQuery(query, { userUuid, ...range, offset: offsetOf(url, pageName) });
  return (
    <div className="tdbs">
      <div className="card">
        <DateRangeForm
          range={range}
          isFetching={answer.fetching}
          onRefresh={(asked) => (asked.start === range.start && asked.end === range.end ? answer.reload() : setRange(asked))}
        />
      </div>
      <TdbsTable answer={answer} columns={columns} pageName={pageName} empty="No TDBs were uploaded on these days." />
    </div>
  );
}
