import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { ReportCorrectionEvent, ReportCorrectionsTable_ReportFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";

const fragment = graphql(`
  fragment ReportCorrectionsTable_Report on Report {
    sinceThen(first: 100) {
      totalCount
      nodes { event source facilityUuid facilityName district day knownDay }
    }
  }
`);

type Row = ReportCorrectionsTable_ReportFragment["sinceThen"]["nodes"][number] & { at: number };

const words: Record<ReportCorrectionEvent, string> = {
  RECEIVED: "received",
  CORRECTED: "corrected",
  SET_ASIDE: "set aside",
  RESTORED: "restored",
  ACCEPTED: "accepted",
};

const columns: Column<Row>[] = [
  {
    id: "site",
    header: "Site",
    rowHeader: true,
    cell: ({ facilityUuid, facilityName }) => <ScopeLink to={routes.facility(facilityUuid)}>{facilityName}</ScopeLink>,
  },
  { id: "district", header: "District", phone: "line", cell: ({ district }) => district },
  {
    id: "what",
    header: "What",
    phone: "line",
    cell: ({ event, source }) => `${source === "TDB" ? "TDB" : "Visit"} ${words[event]}`,
  },
  { id: "day", header: "Day of it", oneLine: true, phone: "line", cell: ({ day }) => formatDate(day) },
  { id: "known", header: "Since then", oneLine: true, phone: "end", cell: ({ knownDay }) => formatDate(knownDay) },
];

/** What became known about the days of a signed report after it was signed. It is not in the report's figures. */
export function ReportCorrectionsTable({ report }: { report: FragmentType<typeof fragment> }) {
  const { sinceThen } = readFragment(fragment, report);
  const { totalCount, nodes } = sinceThen;
  if (totalCount === 0) return <p>Nothing that you may see became known about these days since then.</p>;
  return (
    <>
      <DataTable
        caption="Since then"
        captionHidden
        columns={columns}
        rowKey={({ at }) => at}
        rows={nodes.map((node, at) => ({ ...node, at }))}
      />
      {totalCount > nodes.length ? <p className="note">and {formatNumber(totalCount - nodes.length)} more</p> : null}
    </>
  );
}
