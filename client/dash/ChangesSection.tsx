import { graphql } from "../gql/gql.ts";
import type { ChangesSectionQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { counted } from "../ui/text/counted.ts";
import type { ReportScope } from "./reportScope.ts";
import { formatCount } from "./rows.ts";
import { scopeVariables, scopeWhat } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const query = graphql(`
  query ChangesSectionQuery($from: Date!, $to: Date!, $start: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $first: Int!) {
    stopped: facilities(
      first: $first, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      filter: { change: { from: $from, to: $to, lost: [SMART_CARE_FUNCTIONAL] } }
    ) { totalCount nodes { id facilityUuid facilityName district { id name } implementingPartner { id implementingPartner } } }
    powerless: facilities(
      first: $first, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      filter: { change: { from: $from, to: $to, lost: [PRIMARY_POWER_WORKING] } }
    ) { totalCount nodes { id facilityUuid facilityName district { id name } implementingPartner { id implementingPartner } } }
    started: facilities(
      first: $first, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      filter: { change: { from: $from, to: $to, gained: [SMART_CARE_FUNCTIONAL] } }
    ) { totalCount nodes { id facilityUuid facilityName district { id name } implementingPartner { id implementingPartner } } }
    moved: facilities(
      first: $first, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      filter: { change: { from: $from, to: $to, movedTo: [EFirst, EFast, ELast, Partial, NotDeployed, NotOperational] } }
    ) { totalCount nodes { id facilityUuid facilityName district { id name } implementingPartner { id implementingPartner } } }
    tdbHistory(
      level: PROVINCE, start: $start, end: $to
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { hxId components tdbCount suppressed }
  }
`);

type Sites = ChangesSectionQueryQuery["stopped"];
type Site = Sites["nodes"][number];

const kinds = [
  { id: "stopped", title: "Stopped working", none: "No site stopped working." },
  { id: "powerless", title: "Lost primary power", none: "No site lost primary power." },
  { id: "started", title: "Newly functional", none: "No site became functional." },
  { id: "moved", title: "Moved to another deployment mode", none: "No site moved to another mode." },
] as const;

const columns: Column<Site>[] = [
  { id: "facility", header: "Facility", rowHeader: true, cell: ({ facilityUuid, facilityName }) => <ScopeLink to={routes.facility(facilityUuid)}>{facilityName}</ScopeLink> },
  { id: "district", header: "District", cell: ({ district }) => district.name },
  { id: "partner", header: "Implementing partner", cell: ({ implementingPartner }) => implementingPartner?.implementingPartner ?? "–" },
];

function SitesTable({ title, none, sites: { totalCount, nodes } }: { title: string; none: string; sites: Sites }) {
  if (totalCount === 0) return <p>{none}</p>;
  return (
    <DataTable
      caption={`${title}: ${counted(totalCount, "site")}${totalCount > nodes.length ? `, the first ${nodes.length}` : ""}`}
      columns={columns}
      rowKey={({ id }) => id}
      rows={nodes}
    />
  );
}

type TdbCounts = ChangesSectionQueryQuery["tdbHistory"];

/** What the counts of TDBs say, where they are not suppressed. */
function tdbWords(rows: TdbCounts): string {
  if (!rows || rows.some(({ suppressed }) => suppressed)) return "How many TDBs came is shown to those who may upload TDBs.";
  const sum = (of: (row: NonNullable<TdbCounts>[number]) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  return `${formatCount(sum(({ tdbCount }) => tdbCount))} TDBs came, from ${counted(sum(({ components }) => components), "facility", "facilities")}.`;
}

type ChangesSectionProps = ReportScope & {
  /** The day whose end the states are compared with. */
  from: string;
  /** The day after it, from which TDBs count. */
  start: string;
  to: string;
  /** How many sites of each kind are listed. */
  first?: number;
};

/** Which sites stopped, lost power, began to work or moved between the ends of two days, by their latest visits until then. */
export function ChangesSection({ scope, partner, from, start, to, first = 100 }: ChangesSectionProps) {
  const answer = useFigures(query, { from, start, to, first, ...scopeVariables(scope, partner) });
  return (
    <QueryState query={answer} what={scopeWhat(scope, partner)}>
      {(data) => (
        <div className="overview-panel">
          <p>{kinds.map(({ id, title }) => `${title}: ${formatCount(data[id].totalCount)}`).join(" · ")}</p>
          {kinds.map(({ id, title, none }) => (
            <SitesTable key={id} none={none} sites={data[id]} title={title} />
          ))}
          <p>{tdbWords(data.tdbHistory)}</p>
        </div>
      )}
    </QueryState>
  );
}
