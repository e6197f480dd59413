import { fiscalYearOf, quarterOfMonth } from "../../gateway/calendar/fiscal.rules.ts";
import { rowWords } from "../dash/periods.ts";
import { type Figure, figures, figureWords } from "../situation/situationFigures.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { ReportShareChart } from "./ReportShareChart.tsx";
import type { ReportFigures } from "./reportFigures.ts";

type Quarter = ReportFigures["quarters"][number];

const shareIn = (figure: Figure): Column<Quarter> => ({
  id: figure,
  header: figureWords[figure].column,
  numeric: true,
  phone: figure === "functional" ? "end" : "labelled",
  cell: (quarter) => <ReportShareChart counts={quarter} figure={figure} />,
});

const columns: Column<Quarter>[] = [
  {
    id: "quarter",
    header: "At the end of",
    rowHeader: true,
    oneLine: true,
    cell: ({ periodStart }) =>
      rowWords({ year: fiscalYearOf(periodStart), quarter: quarterOfMonth(Number(periodStart.slice(5, 7))) }),
  },
  ...figures.map(shareIn),
];

/** The four figures at the ends of the quarters, the report's last; earlier ones without any visit or TDB are left out. */
export function ReportTrendTable({ quarters }: { quarters: readonly Quarter[] }) {
  const first = quarters.findIndex(({ assessed, expected }) => assessed > 0 || expected > 0);
  return (
    <DataTable
      caption="The last quarters"
      captionHidden
      columns={columns}
      rowKey={({ periodStart }) => periodStart}
      rows={quarters.slice(Math.max(0, first))}
    />
  );
}
