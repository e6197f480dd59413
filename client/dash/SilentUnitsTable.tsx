import { SegmentedControl } from "@blueprintjs/core";
import { recentDays } from "../../gateway/tdb/silence.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { SilentUnitsTableQueryQuery } from "../gql/graphql.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { PagedRows } from "../ui/list/PagedRows.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { overviewParams } from "./overviewParams.ts";
import { type OverviewScope, scopeVariables, scopeWhat } from "./scope.ts";
import { levelsOf, type SilentFilter, type SilentLevel, silentLevels } from "./silentFilter.ts";
import { useFigures } from "./useFigures.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const unitsQuery = graphql(`
  query SilentUnitsTableQuery($level: SilentSiteLevel!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    silentSiteCounts(level: $level, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
      hxId
      name
      expected
      overdue
      neverSent
      irregular
      rhythmDays
    }
  }
`);

const levelNames = { province: "PROVINCE", district: "DISTRICT", partner: "IMPLEMENTING_PARTNER" } as const;
type Row = NonNullable<SilentUnitsTableQueryQuery["silentSiteCounts"]>[number];

/** The link to the same tab of a unit's own overview. */
const linkOf = (level: SilentLevel, id: number): string => {
  const path = { province: routes.districts, district: routes.facilitiesOfDistrict, partner: routes.partner }[level](
    id,
  );
  return `${path}?${overviewParams.tab}=silent`;
};

const figure = (id: "expected" | "overdue" | "neverSent" | "irregular", header: string): Column<Row> => ({
  id,
  header,
  numeric: true,
  phone: "labelled",
  cell: (row) => formatNumber(row[id] ?? 0),
});

const columnsOf = (level: SilentLevel, seesIrregular: boolean): Column<Row>[] => [
  {
    id: "name",
    header: "Name",
    rowHeader: true,
    cell: ({ hxId, name }) => (hxId == null ? name : <ScopeLink to={linkOf(level, hxId)}>{name}</ScopeLink>),
  },
  figure("expected", "Should send"),
  figure("overdue", "Overdue"),
  figure("neverSent", "Never sent"),
  ...(seesIrregular ? [figure("irregular", "Irregular")] : []),
];

const sumOf = (rows: readonly Row[], figureOf: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + figureOf(row), 0);

function Summary({ rows }: { rows: readonly Row[] }) {
  const overdue = sumOf(rows, (row) => row.overdue);
  const neverSent = sumOf(rows, (row) => row.neverSent);
  return (
    <>
      <p>
        {formatNumber(overdue)} of{" "}
        {counted(
          sumOf(rows, (row) => row.expected),
          "facility",
          "facilities",
        )}{" "}
        overdue
        {neverSent > 0 ? `, of these ${formatNumber(neverSent)} never sent a TDB` : ""}
      </p>
      <p className="soft">
        A TDB should be made every {counted(rows[0]?.rhythmDays ?? 0, "day")} at each facility where SmartCare is
        deployed, and at each that ever sent one.
        {rows.some(({ irregular }) => irregular != null)
          ? ` Irregular: a facility with an irregular TDB in the last ${recentDays} days.`
          : null}
      </p>
    </>
  );
}

type SilentUnitsTableProps = { scope: OverviewScope; filter: SilentFilter; onLevel: (level: SilentLevel) => void };

/** How many facilities of each province, district or partner should send TDBs, and how many are silent. */
export function SilentUnitsTable({ scope, filter: { level, partner }, onLevel }: SilentUnitsTableProps) {
  const levels = levelsOf(scope);
  const query = useFigures(unitsQuery, { level: levelNames[level], ...scopeVariables(scope, partner) });
  return (
    <div className="stack">
      <div className="row is-spread">
        <h3>Overdue sites by {level}</h3>
        <SegmentedControl
          aria-label="Rows"
          onValueChange={(value) => onLevel(levels.find((one) => one === value) ?? level)}
          options={levels.map((value) => ({ value, label: silentLevels[value] }))}
          value={level}
        />
      </div>
      <QueryState query={query} what={scopeWhat(scope, partner)}>
        {({ silentSiteCounts }) => {
          const rows = silentSiteCounts ?? [];
          if (rows.every(({ expected }) => expected === 0))
            return <Empty>No facility here is expected to send TDBs.</Empty>;
          return (
            <div className="stack">
              <Summary rows={rows} />
              <PagedRows label={`Pages of overdue sites by ${level}`} pageName={overviewParams.unitPage} rows={rows}>
                {(shown) => (
                  <DataTable
                    caption={`Overdue sites by ${level}`}
                    captionHidden
                    columns={columnsOf(
                      level,
                      rows.some(({ irregular }) => irregular != null),
                    )}
                    rowKey={({ hxId }) => hxId ?? "none"}
                    rows={shown}
                  />
                )}
              </PagedRows>
            </div>
          );
        }}
      </QueryState>
    </div>
  );
}
