import { ExportAssessmentsButton } from "../assessment/ExportAssessmentsButton.tsx";
import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { useChartSettings } from "./overviewParams.ts";
import { type OverviewScope, scopeVariables, scopeWhat } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const summaryQuery = graphql(`
  query SummaryTabQuery($provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    summarySheet(provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
      province { id }
      name
      pastWeek
      pastMonth
      pastQuarter
    }
  }
`);

type Row = { name: string; isTotal: boolean; pastWeek: number; pastMonth: number; pastQuarter: number };

const cellOf = ({ isTotal }: Row, text: string) => (isTotal ? <strong>{text}</strong> : text);
const count = (id: "pastWeek" | "pastMonth" | "pastQuarter", header: string): Column<Row> => ({
  id,
  header,
  numeric: true,
  phone: "figure",
  cell: (row) => cellOf(row, formatNumber(row[id])),
});
const columns: Column<Row>[] = [
  { id: "name", header: "Province", rowHeader: true, cell: (row) => cellOf(row, row.name) },
  count("pastWeek", "Past week"),
  count("pastMonth", "Past month"),
  count("pastQuarter", "Past quarter"),
];

/** The summary sheet: recent assessments of each province, and their total. */
export function SummaryTab({ scope }: { scope: OverviewScope }) {
  const { today } = useSystem();
  const [{ partner }] = useChartSettings(today);
  const query = useFigures(summaryQuery, scopeVariables(scope, partner));
  return (
    <QueryState query={query} what={scopeWhat(scope, partner)}>
      {({ summarySheet }) => {
        const rows = (summarySheet ?? []).map(({ province, ...row }) => ({ ...row, isTotal: province === null }));
        const inOrder = [...rows.filter(({ isTotal }) => !isTotal), ...rows.filter(({ isTotal }) => isTotal)];
        return (
          <div className="overview-panel stack is-apart">
            <p className="soft">
              Assessments made in the last 7 days, the last month and the last three months, up to {formatDate(today)}.
            </p>
            <DataTable
              caption="Assessment Summary"
              captionHidden
              columns={columns}
              rowKey={({ name }) => name}
              rows={inOrder}
            />
            <div>
              <ExportAssessmentsButton scope={scopeVariables(scope, partner)} />
            </div>
          </div>
        );
      }}
    </QueryState>
  );
}
