import { graphql } from "../gql/gql.ts";
import type { TdbFacilitiesTableQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import type { DateRange } from "../ui/form/dateRange.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { Pager, usePage } from "../ui/list/Pager.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { useIsPrinting } from "../ui/page/useIsPrinting.ts";
import { overviewParams } from "./overviewParams.ts";
import { scopeVariables, scopeWhat } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";
import { useFigures } from "./useFigures.ts";
import { pageOf } from "./rows.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { formatNumber } from "../ui/text/counted.ts";

const facilitiesQuery = graphql(`
  query TdbFacilitiesTableQuery($start: Date!, $end: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    tdbHistoryFacilities(
      start: $start, end: $end
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { facilityId districtName facilityName dateUploaded totalPatients }
  }
`);

type Row = NonNullable<TdbFacilitiesTableQueryQuery["tdbHistoryFacilities"]>[number];
const columns: Column<Row>[] = [
  { id: "district", header: "District", cell: (row) => row.districtName },
  {
    id: "facility",
    header: "Facility",
    rowHeader: true,
    cell: (row) => <ScopeLink to={routes.facility(row.facilityId)}>{row.facilityName}</ScopeLink>,
  },
  { id: "dateUploaded", header: "Date uploaded", oneLine: true, cell: (row) => formatDate(row.dateUploaded) },
  { id: "totalPatients", header: "Clients", numeric: true, cell: (row) => formatNumber(row.totalPatients) },
];

type TdbFacilitiesTableProps = { scope: OverviewScope; partner: number; range: DateRange; round: number };

/** The latest TDB of each facility that uploaded in a range of days. Only for people who may see TDBs. */
export function TdbFacilitiesTable({ scope, partner, range, round }: TdbFacilitiesTableProps) {
  const [page, setPage] = usePage(overviewParams.facilityPage);
  const isPrinting = useIsPrinting();
  const query = useFigures(facilitiesQuery, { ...range, ...scopeVariables(scope, partner) }, round);
  const period = `${formatDate(range.start)} to ${formatDate(range.end)}`;
  return (
    <div className="overview-list stack">
      <h3>TDBs by facility</h3>
      <QueryState query={query} what={scopeWhat(scope, partner)}>
        {({ tdbHistoryFacilities }) => {
          const rows = tdbHistoryFacilities ?? [];
          if (rows.length === 0) return <Empty>No TDBs in this period ({period})</Empty>;
          return (
            <div className="overview-list stack">
              <DataTable
                caption={`TDBs by facility, ${period}`}
                captionHidden
                rowKey={({ facilityId }) => facilityId}
                rows={isPrinting ? rows : pageOf(rows, page)}
                columns={columns}
              />
              <Pager label="Pages of TDBs by facility" onPage={setPage} page={page} total={rows.length} />
            </div>
          );
        }}
      </QueryState>
    </div>
  );
}
