import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FleetFilesTable_FleetFileFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { formatFileSize } from "../ui/text/fileSize.ts";

const fragment = graphql(`
  fragment FleetFilesTable_FleetFile on FleetFile { uuid name version size needed next failed applied medianDays longestDays }
`);
type Row = FleetFilesTable_FleetFileFragment;

const columns: Column<Row>[] = [
  { id: "name", header: "File", rowHeader: true, cell: ({ name }) => name },
  { id: "version", header: "Version", cell: ({ version }) => version },
  { id: "size", header: "Size", numeric: true, cell: ({ size }) => formatFileSize(size) },
  {
    id: "needed",
    header: "Needed by",
    numeric: true,
    phone: "end",
    cell: ({ uuid, name, needed }) =>
      needed === 0 ? (
        0
      ) : (
        <Link aria-label={`${needed} sites still need ${name}`} to={routes.fleet({ file: uuid })}>
          {formatNumber(needed)}
        </Link>
      ),
  },
  { id: "next", header: "Next file of", numeric: true, cell: ({ next }) => formatNumber(next) },
  { id: "failed", header: "Failed", numeric: true, phone: "labelled", cell: ({ failed }) => formatNumber(failed) },
  { id: "applied", header: "Applied", numeric: true, phone: "labelled", cell: ({ applied }) => formatNumber(applied) },
  {
    id: "median",
    header: "Days, median",
    numeric: true,
    phone: "labelled",
    cell: ({ medianDays }) => medianDays ?? "–",
  },
  { id: "longest", header: "Days, longest", numeric: true, cell: ({ longestDays }) => longestDays ?? "–" },
];

/** The files with a version: how many sites still need each, and how long the others took to apply it. */
export function FleetFilesTable({ rows }: { rows: readonly FragmentType<typeof fragment>[] }) {
  const files = readFragment(fragment, rows);
  if (files.length === 0)
    return <p className="soft">No file has a version yet. Administrators set it on the screen Downloads.</p>;
  return (
    <DataTable
      caption="Files with a version"
      captionHidden
      columns={columns}
      rowKey={({ uuid }) => uuid}
      rows={files}
    />
  );
}
