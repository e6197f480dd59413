import { modeClasses } from "../situation/situationFigures.ts";
import { unitKey } from "../situation/situationLinks.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { type ReportFigures, type ReportUnit, unitWords } from "./reportFigures.ts";

const modes = [...modeClasses, ["noneRecorded", "Not recorded"]] as const;

/** A phone's second line has these; a row opens with all. */
const leadingModes = 3;

/** Sites of each unit of a report by deployment mode. */
export function ReportModesTable({ level, units }: { level: ReportFigures["level"]; units: readonly ReportUnit[] }) {
  const columns: Column<ReportUnit>[] = [
    { id: "name", header: unitWords[level][0], rowHeader: true, cell: ({ name }) => name },
    ...modes.map(([id, header], at) => ({
      id,
      header,
      numeric: true,
      ...(at < leadingModes ? { phone: "labelled" as const } : {}),
      cell: (unit: ReportUnit) => formatNumber(unit.modes[id]),
    })),
  ];
  return (
    <DataTable
      caption="Deployment modes"
      captionHidden
      columns={columns}
      opensAs={({ name }) => name}
      rowKey={unitKey}
      rows={units}
    />
  );
}
