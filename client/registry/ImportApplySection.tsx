import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import type { ImportKinds } from "./ImportReviewSection.tsx";
import { kindTitles } from "./listWords.ts";

type Kind = ImportKinds[number];
const count = (id: "rows" | "accepted" | "rejected" | "undecided", header: string): Column<Kind> => ({
  id,
  header,
  numeric: true,
  phone: "figure",
  cell: (row) => formatNumber(row[id]),
});

const columnsOf = (uuid: string): Column<Kind>[] => [
  {
    id: "kind",
    header: "Kind",
    rowHeader: true,
    cell: ({ kind }) => <Link to={`${routes.registryImport(uuid, "review")}&kind=${kind}`}>{kindTitles[kind]}</Link>,
  },
  count("rows", "Rows"),
  count("accepted", "Accepted"),
  count("rejected", "Rejected"),
  count("undecided", "Undecided"),
];

/** The third step: what was decided, by kind, before the accepted rows are applied. */
export function ImportApplySection({ kinds, uuid }: { kinds: ImportKinds; uuid: string }) {
  return (
    <div className="stack">
      <p className="note">Only accepted rows change the registry. Rows that are undecided stay out.</p>
      <DataTable
        caption="Decisions by kind"
        captionHidden
        columns={columnsOf(uuid)}
        rowKey={({ kind }) => kind}
        rows={kinds.filter(({ rows }) => rows > 0)}
      />
    </div>
  );
}
