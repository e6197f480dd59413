import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { quarterOf } from "./quarters.ts";

const fragment = graphql(`
  fragment FleetVersionsTable_Fleet on Fleet {
    versions { version facilities }
    quarters { periodStart versions { version facilities } }
  }
`);

/** `before`: undefined if no version was known at the end of that quarter. */
type Row = { version: string; today: number; before: (number | undefined)[] };

/** How many facilities ran each version at the end of the last quarters, and how many run it today. */
export function FleetVersionsTable({ fleet }: { fleet: FragmentType<typeof fragment> }) {
  const { versions, quarters } = readFragment(fragment, fleet);
  const earlier = quarters.slice(0, -1);
  // The newest version first. Versions that no facility runs any more come last.
  const names = [
    ...new Set(
      [...versions, ...earlier.toReversed().flatMap((quarter) => quarter.versions)].map(({ version }) => version),
    ),
  ];
  const count = (of: readonly { version: string; facilities: number }[], name: string) =>
    of.find(({ version }) => version === name)?.facilities ?? 0;
  const rows: Row[] = names.map((version) => ({
    version,
    today: count(versions, version),
    before: earlier.map((quarter) => (quarter.versions.length === 0 ? undefined : count(quarter.versions, version))),
  }));
  const isUnknown = earlier.some((quarter) => quarter.versions.length === 0);
  const columns: Column<Row>[] = [
    {
      id: "version",
      header: "Version",
      rowHeader: true,
      cell: ({ version }) => version,
    },
    ...earlier.map(({ periodStart }, at): Column<Row> => ({
      id: periodStart,
      header: quarterOf(periodStart),
      numeric: true,
      cell: ({ before }) => (before[at] === undefined ? "–" : formatNumber(before[at])),
    })),
    { id: "today", header: "Today", numeric: true, cell: ({ today }) => formatNumber(today) },
  ];
  if (rows.length === 0) return <p className="soft">No TDB or visit has named a version yet.</p>;
  return (
    <>
      <DataTable
        caption="Facilities by version, at the end of each quarter"
        captionHidden
        columns={columns}
        rowKey={({ version }) => version}
        rows={rows}
      />
      {isUnknown ? (
        <p className="soft">– not known: no TDB or visit of that quarter or before names a version.</p>
      ) : null}
    </>
  );
}
