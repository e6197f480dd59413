import { Link } from "react-router-dom";
import { graphql } from "../../gql/gql.ts";
import { readFragment } from "../../gql/fragment-masking.ts";
import type { WorklistReportSection_EntriesFragment as Entries } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import type { ModeScope } from "../../routes.ts";
import { DataTable } from "../../ui/list/DataTable.tsx";
import type { Column } from "../../ui/list/DataTable.tsx";
import { QueryState } from "../../ui/notice/QueryState.tsx";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";
import { counted, formatNumber } from "../../ui/text/counted.ts";
import { formatDate } from "../../ui/text/dates.ts";
import { useScreenQuery } from "../../urql.ts";
import { worklistLink } from "../situationLinks.ts";
import { worklistTitles } from "../../action/worklistKinds.ts";

const entriesFragment = graphql(`
  fragment WorklistReportSection_Entries on WorklistEntryConnection {
    totalCount
    nodes {
      facility { id facilityUuid facilityName district { id name } implementingPartner { id implementingPartner } }
      sinceDate days libraryVersion comment commentedBy commentedDate
    }
  }
`);

const query = graphql(`
  query WorklistReportSectionQuery($provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    stopped: worklist(
      kind: STOPPED, first: 25, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...WorklistReportSection_Entries }
    lostPower: worklist(
      kind: LOST_POWER, first: 25, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...WorklistReportSection_Entries }
    silent: worklist(
      kind: SILENT, first: 25, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...WorklistReportSection_Entries }
    oldVersion: worklist(
      kind: OLD_VERSION, first: 25, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...WorklistReportSection_Entries }
    notVisited: worklist(
      kind: NOT_VISITED, first: 25, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...WorklistReportSection_Entries }
  }
`);

const kinds = ["stopped", "lostPower", "silent", "oldVersion", "notVisited"] as const;
type Kind = (typeof kinds)[number];
type Entry = Entries["nodes"][number];

/** Shown for an entry without a date since when it has been in this state. */
const never = {
  stopped: "–",
  lostPower: "–",
  silent: "never sent",
  oldVersion: "–",
  notVisited: "never",
} satisfies Record<Kind, string>;

function columnsOf(kind: Kind, { implementingPartnerId }: ModeScope): Column<Entry>[] {
  return [
    {
      id: "facility",
      header: "Facility",
      rowHeader: true,
      cell: ({ facility }) => (
        <ScopeLink to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</ScopeLink>
      ),
    },
    { id: "district", header: "District", cell: ({ facility }) => facility.district.name },
    ...(implementingPartnerId === undefined
      ? [
          {
            id: "partner",
            header: "Implementing partner",
            cell: ({ facility }: Entry) => facility.implementingPartner?.implementingPartner ?? "–",
          },
        ]
      : []),
    ...(kind === "oldVersion"
      ? [{ id: "version", header: "Version", cell: ({ libraryVersion }: Entry) => libraryVersion ?? "–" }]
      : []),
    {
      id: "since",
      header: worklistTitles[kind].since,
      oneLine: true,
      cell: ({ sinceDate }) => (sinceDate == null ? never[kind] : formatDate(sinceDate)),
    },
    { id: "days", header: "Days", numeric: true, cell: ({ days }) => (days == null ? "–" : formatNumber(days)) },
    {
      id: "note",
      header: "Note",
      cell: ({ comment, commentedBy, commentedDate }) =>
        comment == null ? "–" : `${comment} (${commentedBy}, ${formatDate(commentedDate)})`,
    },
  ];
}

/** The first sites of a kind, and how many more there are. Notes have a column only if there is one. */
function KindTable({
  kind,
  scope,
  entries: { totalCount, nodes: rows },
}: {
  kind: Kind;
  scope: ModeScope;
  entries: Entries;
}) {
  const { title, text } = worklistTitles[kind];
  if (totalCount === 0) return <p>{`${title} (${text}): no site.`}</p>;
  const hasNotes = rows.some(({ comment }) => comment != null);
  const more = totalCount - rows.length;
  return (
    <div>
      <DataTable
        caption={`${title} (${text}): ${counted(totalCount, "site")}`}
        columns={columnsOf(kind, scope).filter(({ id }) => hasNotes || id !== "note")}
        rowKey={({ facility }) => facility.id}
        rows={rows}
      />
      {more > 0 ? (
        <p className="note">
          <Link to={worklistLink(kind, scope)}>and {formatNumber(more)} more</Link>
        </p>
      ) : null}
    </div>
  );
}

/** The work list in a document: the first sites of each kind, without those that are snoozed. */
export function WorklistReportSection({ scope }: { scope: ModeScope }) {
  const answer = useScreenQuery(query, scope);
  return (
    <section className="worklist-report">
      <h2>Work list</h2>
      <QueryState query={answer} what="work list">
        {(data) => (
          <div className="overview-panel stack is-apart">
            {kinds.map((kind) => {
              const entries = readFragment(entriesFragment, data[kind]);
              return entries ? <KindTable entries={entries} key={kind} kind={kind} scope={scope} /> : null;
            })}
          </div>
        )}
      </QueryState>
    </section>
  );
}
