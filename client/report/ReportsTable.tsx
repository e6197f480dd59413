import { Link } from "react-router-dom";
import { rowWords } from "../dash/periods.ts";
import { graphql } from "../gql/gql.ts";
import type { ReportsTable_ReportFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";

export const reportRowFragment = graphql(`
  fragment ReportsTable_Report on Report { id number place partner year quarter state savedBy signedBy signedDate }
`);

type Row = ReportsTable_ReportFragment;

const columns: Column<Row>[] = [
  {
    id: "report",
    header: "Report",
    rowHeader: true,
    cell: ({ number, place }) => (
      <Link to={routes.savedReport(number)}>
        {number}: {place}
      </Link>
    ),
  },
  { id: "partner", header: "Implementing partner", phone: "line", cell: ({ partner }) => partner ?? "All IPs" },
  {
    id: "quarter",
    header: "Quarter",
    phone: "line",
    cell: ({ year, quarter }) => `FY ${year} Q${quarter}: ${rowWords({ year, quarter })}`,
  },
  {
    id: "state",
    header: "State",
    phone: "line",
    cell: ({ state, savedBy, signedBy, signedDate }) =>
      state === "SIGNED" ? `Signed by ${signedBy} on ${formatDate(signedDate)}` : `Draft of ${savedBy}`,
  },
];

/** Saved reports; each opens by its number. */
export function ReportsTable({ rows }: { rows: readonly Row[] }) {
  return <DataTable caption="Saved reports" captionHidden columns={columns} rowKey={({ id }) => id} rows={rows} />;
}
