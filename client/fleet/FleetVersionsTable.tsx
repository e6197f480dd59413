import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { useIsPrinting } from "../ui/page/useIsPrinting.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { quarterOf, versionsFinding } from "./quarters.ts";
import { VersionsChart } from "./VersionsChart.tsx";

const fragment = graphql(`
  fragment FleetVersionsTable_Fleet on Fleet {
    versions { version facilities }
    quarters { periodStart versions { version facilities } }
  }
`);

/** `before`: undefined if no version was known at the end of that quarter. */
type Row = { version: string; today: number; before: (number | undefined)[] };

/**
 * The versions at the end of the last quarters and today: their shares as a chart, and on request how many facilities
 * ran each.
 */
export function FleetVersionsTable({ fleet }: { fleet: FragmentType<typeof fragment> }) {
  const [isTableShown, setTableShown] = useState(false);
  const hasTable = useIsPrinting() || isTableShown;
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
      <h3>{versionsFinding(versions, earlier)}</h3>
      <VersionsChart
        label="Shares of the versions at the end of each quarter, and today"
        names={names}
        times={[
          ...earlier.map(({ periodStart }, at) => ({
            label: quarterOf(periodStart),
            counts: rows.map(({ before }) => before[at]),
          })),
          { label: "Today", counts: rows.map(({ today }) => today) },
        ]}
      />
      <div className="screen-only">
        <Button
          aria-expanded={hasTable}
          onClick={() => setTableShown(!isTableShown)}
          text={hasTable ? "Hide table" : "Show table"}
        />
      </div>
      {hasTable ? (
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
      ) : null}
    </>
  );
}
