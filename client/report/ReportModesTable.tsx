import { modeClasses } from "../situation/situationFigures.ts";
import { unitKey } from "../situation/situationLinks.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { type ReportFigures, type ReportUnit, unitWords } from "./reportFigures.ts";

const modes = [...modeClasses, ["noneRecorded", "Not recorded"]] as const;

/** Sites of each unit of a report by deployment mode. */
export function ReportModesTable({ level, units }: { level: ReportFigures["level"]; units: readonly ReportUnit[] }) {
  const columns: Column<ReportUnit>[] = [
    { id: "name", header: unitWords[level][0], rowHeader: true, cell: ({ name }) => name },
    ...modes.map(([id, header]) => ({
      id,
      header,
      numeric: true,
      phone: "labelled" as const,
      cell: (unit: ReportUnit) => formatNumber(unit.modes[id]),
    })),
  ];
  return <DataTable caption="Deployment modes" captionHidden columns={columns} rowKey={unitKey} rows={units} />;
}
