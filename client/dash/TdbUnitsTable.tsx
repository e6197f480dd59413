import { SegmentedControl } from "@blueprintjs/core";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { TdbUnitsTableQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import type { DateRange } from "../ui/form/dateRange.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { PagedRows } from "../ui/list/PagedRows.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { overviewParams } from "./overviewParams.ts";
import { isWithinProvince, type OverviewScope, scopeVariables, scopeWhat } from "./scope.ts";
import { useFigures } from "./useFigures.ts";
import { roundedNote, smallGroupsNote } from "./rows.ts";

const unitsQuery = graphql(`
  query TdbUnitsTableQuery(
    $level: TdbHistoryLevel!, $start: Date!, $end: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
  ) {
    tdbHistory(
      level: $level, start: $start, end: $end
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { hxId name components of tdbCount totalPatients suppressed rounded }
  }
`);

/** A count, or a note that it is not shown. */
const countOf = (count: number | null | undefined) => (count == null ? "Not shown" : formatNumber(count));

type Level = "PROVINCE" | "DISTRICT";
const levels = [
  { value: "province", label: "Provinces" },
  { value: "district", label: "Districts" },
];

/** Whether the rows are provinces or districts; within a province there are only districts. */
function useLevel(scope: OverviewScope): [level: Level, setLevel: ((value: string) => void) | undefined] {
  const [params] = useSearchParams();
  const change = useAddress();
  if (isWithinProvince(scope)) return ["DISTRICT", undefined];
  const setLevel = (value: string) =>
    change({ [overviewParams.unitPage]: "", [overviewParams.level]: value === "district" ? value : "" });
  return [params.get(overviewParams.level) === "district" ? "DISTRICT" : "PROVINCE", setLevel];
}

type Unit = NonNullable<TdbUnitsTableQueryQuery["tdbHistory"]>[number];

/** The link to the unit's own page, with the same tab and days. */
function UnitLink({ level, unit: { hxId, name } }: { level: Level; unit: Unit }) {
  const [url] = useSearchParams();
  const rest = new URLSearchParams(url);
  for (const page of [overviewParams.unitPage, overviewParams.facilityPage, overviewParams.level, "page"])
    rest.delete(page);
  return (
    <Link
      to={{
        pathname: level === "PROVINCE" ? routes.facilitiesOfProvince(hxId) : routes.facilitiesOfDistrict(hxId),
        search: rest.toString(),
      }}
    >
      {name}
    </Link>
  );
}

const columnsOf = (level: Level): Column<Unit>[] => [
  { id: "name", header: "Name", rowHeader: true, cell: (unit) => <UnitLink level={level} unit={unit} /> },
  {
    id: "components",
    phone: "labelled",
    header: "Facilities that sent",
    numeric: true,
    cell: (row) => (row.components == null ? countOf(null) : `${countOf(row.components)} of ${formatNumber(row.of)}`),
  },
  { id: "tdbCount", header: "TDBs", numeric: true, phone: "labelled", cell: (row) => countOf(row.tdbCount) },
  {
    id: "totalPatients",
    header: "Clients",
    numeric: true,
    phone: "labelled",
    cell: (row) => countOf(row.totalPatients),
  },
];

type TdbUnitsTableProps = { scope: OverviewScope; partner: number; range: DateRange; round: number };

/** The uploads of each province or district in a range of days, including those without uploads. */
export function TdbUnitsTable({ scope, partner, range, round }: TdbUnitsTableProps) {
  const [level, setLevel] = useLevel(scope);
  const query = useFigures(unitsQuery, { level, ...range, ...scopeVariables(scope, partner) }, round);
  const name = level === "PROVINCE" ? "province" : "district";
  const period = `${formatDate(range.start)} to ${formatDate(range.end)}`;
  return (
    <div className="stack">
      <div className="row is-spread">
        <h3>TDBs by {name}</h3>
        {setLevel ? (
          <SegmentedControl
            aria-label="Rows"
            options={levels}
            value={level === "DISTRICT" ? "district" : "province"}
            onValueChange={setLevel}
          />
        ) : null}
      </div>
      <QueryState query={query} what={scopeWhat(scope, partner)}>
        {({ tdbHistory }) => {
          const rows = tdbHistory ?? [];
          if (rows.every(({ tdbCount }) => tdbCount === 0)) return <Empty>No TDBs in this period ({period})</Empty>;
          return (
            <div className="stack">
              <PagedRows label={`Pages of TDBs by ${name}`} pageName={overviewParams.unitPage} rows={rows}>
                {(shown) => (
                  <DataTable
                    caption={`TDBs by ${name}, ${period}`}
                    captionHidden
                    columns={columnsOf(level)}
                    rowKey={({ hxId }) => hxId}
                    rows={shown}
                  />
                )}
              </PagedRows>
              {rows.some(({ rounded }) => rounded) ? <p className="soft">{roundedNote}</p> : null}
              {rows.some(({ suppressed }) => suppressed) ? <p className="soft">{smallGroupsNote}</p> : null}
            </div>
          );
        }}
      </QueryState>
    </div>
  );
}
