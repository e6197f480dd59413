import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { countedBy, type Figure, figures, figureWords, siteWords } from "../situation/situationFigures.ts";
import { unitKey } from "../situation/situationLinks.ts";
import { ReportShareChart } from "./ReportShareChart.tsx";
import { type ReportFigures, type ReportUnit, unitWords } from "./reportFigures.ts";

function shareIn(figure: Figure): Column<ReportUnit> {
  return {
    id: figure,
    header: figureWords[figure].column,
    numeric: true,
    phone: figure === "functional" ? "end" : "labelled",
    cell: (unit) => <ReportShareChart counts={unit} figure={figure} />,
  };
}

function answerIn(figure: "functional" | "power"): Column<ReportUnit> {
  return {
    id: figure,
    header: figureWords[figure].column,
    phone: figure === "functional" ? "end" : "labelled",
    cell: (unit) => {
      const { value, of, notRecorded } = countedBy(figure, unit);
      if (of === 0) return "not assessed";
      return notRecorded > 0 ? "not recorded" : siteWords[figure].words[value === 1 ? 1 : 0];
    },
  };
}

/** Units of a report with its four figures, as they were counted. */
export function ReportUnitsTable({
  caption,
  level,
  units,
}: {
  caption: string;
  level: ReportFigures["level"];
  units: readonly ReportUnit[];
}) {
  const name: Column<ReportUnit> = {
    id: "name",
    header: unitWords[level][0],
    rowHeader: true,
    cell: (unit) => unit.name,
  };
  const columns =
    level === "FACILITY" ? [name, answerIn("functional"), answerIn("power")] : [name, ...figures.map(shareIn)];
  return <DataTable caption={caption} captionHidden columns={columns} rowKey={unitKey} rows={units} />;
}
