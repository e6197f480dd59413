import { partOf, type Reads, shareOf, type Statistics, weights } from "../reading/reads.rules.ts";

/**
 * The cost of the dashboards' figures: the rows by place and period that they read. It does not grow with the history.
 */

type Edge = "provinceId" | "districtId" | "implementingPartnerId" | null;
const monthsOfYear = 12;
/** The days and weeks that make up the sheet of the last three months. */
const spans = 30;

const inEdge = (edge: Edge, args: Parameters<Reads>[0]) => (edge ? { ...args, [edge]: 1 } : args);
const provincesOf = (scope: Parameters<typeof shareOf>[0], { provinces }: Statistics) =>
  scope.provinceId != null || scope.districtId != null ? 1 : Math.max(1, provinces);

/** The costs of the fields of a dashboard, by field; `edge`: the parent below which the fields are. */
export const dashReads = (edge: Edge) => {
  const yearsOf = ({ years }: Parameters<Reads>[0]) => (typeof years === "number" ? Math.max(1, years) : 1);
  const byPlace =
    (rows: number): Reads =>
    (args, statistics) => ({ rows: weights.rollup * rows * provincesOf(inEdge(edge, args), statistics) });
  const facilitiesOf = (args: Parameters<Reads>[0], statistics: Statistics) =>
    statistics.facilities * shareOf(inEdge(edge, args), statistics);
  const history: Reads = (args, statistics) => {
    const places =
      args.level === "DISTRICT"
        ? Math.max(1, statistics.districts * shareOf(inEdge(edge, args), statistics))
        : provincesOf(inEdge(edge, args), statistics);
    // Days that are no whole period, and rounded figures, are read from rows by facility.
    return { rows: weights.rollup * (places + facilitiesOf(args, statistics)), groups: places };
  };
  const historyFacilities: Reads = (args, statistics) => {
    const sent = Math.min(
      facilitiesOf(args, statistics),
      statistics.tdbs * shareOf(inEdge(edge, args), statistics) * partOf(args, statistics.firstTdb, statistics),
    );
    return { rows: weights.rollup * sent, groups: sent };
  };
  const series: Reads = (args, statistics, selected) =>
    byPlace(monthsOfYear * yearsOf(args))(args, statistics, selected);
  return { series, chart: byPlace(4), sheet: byPlace(spans), history, historyFacilities };
};
