import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { UserTdbsTabQueryQuery } from "../gql/graphql.ts";
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
import "./tdbs.css";

const query = graphql(`
  query UserTdbsTabQuery($userUuid: String!, $start: Date!, $end: Date!, $offset: Int) {
    tdbs(userUuid: $userUuid, start: $start, end: $end, first: 10, offset: $offset) {
      totalCount
      nodes {
        id
        uploadDate
        uploadTime
        deltaTdb
        tdbCreationDate
        totalPatients
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

const pageName = "tdbPage";

type Row = NonNullable<UserTdbsTabQueryQuery["tdbs"]>["nodes"][number];

const columns: Column<Row>[] = [
  { id: "received", header: "DateTime", rowHeader: true, cell: ({ uploadDate, uploadTime }) => `${formatDate(uploadDate)} ${formatTime(uploadTime)}` },
  { id: "facility", header: "Facility", cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link> },
  { id: "place", header: "District/Province", cell: ({ facility }) => `${facility.district.name}/${facility.province.name}` },
  { id: "delta", header: "Delta TDB", cell: ({ deltaTdb }) => (deltaTdb ? "Yes" : "No") },
  { id: "created", header: "Created", cell: ({ tdbCreationDate }) => formatDate(tdbCreationDate) },
  { id: "clients", header: "Number of clients", numeric: true, cell: ({ totalPatients }) => formatNumber(totalPatients) },
];

/** The transport databases that a person sent in a range of days, the newest first. */
export function UserTdbsTab({ userUuid }: { userUuid: string }) {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [pageName]);
  const answer = useScreenQuery(query, { userUuid, ...range, offset: offsetOf(url, pageName) });
  return (
    <div className="tdbs">
      <DateRangeForm
        range={range}
        isFetching={answer.fetching}
        onRefresh={(asked) => (asked.start === range.start && asked.end === range.end ? answer.reload() : setRange(asked))}
      />
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
