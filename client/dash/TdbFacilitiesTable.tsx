import { graphql } from "../gql/gql.ts";
import type { TdbFacilitiesTableQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import type { DateRange } from "../ui/form/dateRange.ts";
import { PagedRows } from "../ui/list/PagedRows.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { overviewParams } from "./overviewParams.ts";
import { type OverviewScope, scopeVariables, scopeWhat } from "./scope.ts";
import { useFigures } from "./useFigures.ts";
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
  { id: "district", header: "District", phone: "line", cell: (row) => row.districtName },
  {
    id: "facility",
    header: "Facility",
    rowHeader: true,
    cell: (row) => <ScopeLink to={routes.facility(row.facilityId)}>{row.facilityName}</ScopeLink>,
  },
  {
    id: "dateUploaded",
    header: "Date uploaded",
    oneLine: true,
    phone: "line",
    cell: (row) => formatDate(row.dateUploaded),
  },
  {
    id: "totalPatients",
    header: "Clients",
    numeric: true,
    phone: "end",
    cell: (row) => formatNumber(row.totalPatients),
  },
];

type TdbFacilitiesTableProps = { scope: OverviewScope; partner: number; range: DateRange; round: number };

/** The latest TDB of each facility that uploaded in a range of days. Only for people who may see TDBs. */
export function TdbFacilitiesTable({ scope, partner, range, round }: TdbFacilitiesTableProps) {
  const query = useFigures(facilitiesQuery, { ...range, ...scopeVariables(scope, partner) }, round);
  const period = `${formatDate(range.start)} to ${formatDate(range.end)}`;
  return (
    <div className="stack">
      <h3>TDBs by facility</h3>
      <QueryState query={query} what={scopeWhat(scope, partner)}>
        {({ tdbHistoryFacilities }) => (
          <PagedRows
            empty={`No TDBs in this period (${period})`}
            label="Pages of TDBs by facility"
            pageName={overviewParams.facilityPage}
            rows={tdbHistoryFacilities ?? []}
          >
            {(rows) => (
              <DataTable
                caption={`TDBs by facility, ${period}`}
                captionHidden
                columns={columns}
                rowKey={({ facilityId }) => facilityId}
                rows={rows}
              />
            )}
          </PagedRows>
        )}
      </QueryState>
    </div>
  );
}
