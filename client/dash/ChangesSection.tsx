import { graphql } from "../gql/gql.ts";
import type { ChangesSectionQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import type { ReportScope } from "./reportScope.ts";
import { scopeVariables, scopeWhat } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const query = graphql(`
  query ChangesSectionQuery($from: Date!, $to: Date!, $start: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $first: Int!) {
    states: facilityGroups(
      by: [], asOf: $to, against: { asOf: $from }
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      facilities assessed sumSmartCareFunctional sumPrimaryPowerWorking notRecordedSmartCareFunctional notRecordedPrimaryPowerWorking
      before { facilities assessed sumSmartCareFunctional sumPrimaryPowerWorking notRecordedSmartCareFunctional notRecordedPrimaryPowerWorking }
    }
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
    ) { hxId components of tdbCount suppressed rounded }
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
  {
    id: "facility",
    header: "Facility",
    rowHeader: true,
    cell: ({ facilityUuid, facilityName }) => <ScopeLink to={routes.facility(facilityUuid)}>{facilityName}</ScopeLink>,
  },
  { id: "district", header: "District", cell: ({ district }) => district.name },
  {
    id: "partner",
    header: "Implementing partner",
    cell: ({ implementingPartner }) => implementingPartner?.implementingPartner ?? "–",
  },
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

type Counts = Omit<NonNullable<NonNullable<ChangesSectionQueryQuery["states"]>[number]["before"]>, "__typename">;

/** A figure at the end of each of the two days, with its denominator. */
function stateWords(now: Counts, before: Counts): string[] {
  const part = (counts: Counts, value: keyof Counts, of: "facilities" | "assessed", unknown?: keyof Counts) =>
    `${formatNumber(counts[value])} of ${formatNumber(counts[of])}${unknown && counts[unknown] > 0 ? ` (${formatNumber(counts[unknown])} not recorded)` : ""}`;
  const fromTo = (...asked: [value: keyof Counts, of: "facilities" | "assessed", unknown?: keyof Counts]) =>
    `from ${part(before, ...asked)} to ${part(now, ...asked)}`;
  return [
    `Assessed: ${fromTo("assessed", "facilities")} facilities`,
    `SmartCare works: ${fromTo("sumSmartCareFunctional", "assessed", "notRecordedSmartCareFunctional")} assessed`,
    `Primary power works: ${fromTo("sumPrimaryPowerWorking", "assessed", "notRecordedPrimaryPowerWorking")} assessed`,
  ];
}

const nothing: Counts = {
  ...{ facilities: 0, assessed: 0, sumSmartCareFunctional: 0, sumPrimaryPowerWorking: 0 },
  ...{ notRecordedSmartCareFunctional: 0, notRecordedPrimaryPowerWorking: 0 },
};

type TdbCounts = ChangesSectionQueryQuery["tdbHistory"];

/** The counts of TDBs in words, unless they are suppressed. */
function tdbWords(rows: TdbCounts): string {
  if (!rows || rows.some(({ suppressed }) => suppressed))
    return "How many TDBs were received is shown to those who may upload TDBs.";
  const sum = (of: (row: NonNullable<TdbCounts>[number]) => number | null) =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  const least = rows.some(({ rounded }) => rounded) ? "At least " : "";
  return `${least}${formatNumber(sum(({ tdbCount }) => tdbCount))} TDBs were received, from ${formatNumber(sum(({ components }) => components))} of ${counted(
    sum(({ of }) => of),
    "facility",
    "facilities",
  )}.`;
}

type ChangesSectionProps = ReportScope & {
  /** The day whose end the states are compared with. */
  from: string;
  /** The day after it. TDBs are counted from here. */
  start: string;
  to: string;
  /** How many sites of each kind are listed. */
  first: number;
};

/**
 * How many facilities were assessed and working at the end of two days, and which of them stopped, lost power, began to
 * work or changed mode in between.
 */
export function ChangesSection({ scope, partner, from, start, to, first }: ChangesSectionProps) {
  const answer = useFigures(query, { from, start, to, first, ...scopeVariables(scope, partner) });
  return (
    <QueryState query={answer} what={scopeWhat(scope, partner)}>
      {(data) => {
        const now = data.states?.[0] ?? nothing;
        const before = data.states?.[0]?.before ?? nothing;
        if (now.facilities === 0 && before.facilities === 0) return <Empty>No facility belongs here yet.</Empty>;
        return (
          <div className="overview-panel stack is-apart">
            <div>
              {stateWords(now, before).map((words) => (
                <p key={words}>{words}</p>
              ))}
            </div>
            <p>{kinds.map(({ id, title }) => `${title}: ${formatNumber(data[id].totalCount)}`).join(" · ")}</p>
            {kinds.map(({ id, title, none }) => (
              <SitesTable key={id} none={none} sites={data[id]} title={title} />
            ))}
            <p>{tdbWords(data.tdbHistory)}</p>
          </div>
        );
      }}
    </QueryState>
  );
}
