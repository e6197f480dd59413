import { graphql } from "../gql/gql.ts";
import type { ReportFigures_ReportFiguresFragment } from "../gql/graphql.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { measured, type NamedUnit } from "../situation/situationFigures.ts";

/** The figures of a report, saved or not. */
export const figuresFragment = graphql(`
  fragment ReportFigures_ReportFigures on ReportFigures {
    asAt day level target
    quarters { periodStart facilities assessed functional notRecordedFunctional power notRecordedPower expected silent }
    units {
      hxId facilityUuid name facilities assessed functional notRecordedFunctional power notRecordedPower expected silent
      modes { efirst efast elast partial notDeployed notOperational noneRecorded }
    }
  }
`);

export type ReportFigures = ReportFigures_ReportFiguresFragment;
export type ReportUnit = ReportFigures["units"][number];

export const unitWords = {
  PROVINCE: ["Province", "provinces"],
  DISTRICT: ["District", "districts"],
  FACILITY: ["Site", "sites"],
} as const;

export const mostWorst = 10;

/** The ten units with the lowest share that works; those that nobody assessed are not compared. */
export const worstUnits = <Unit extends NamedUnit>(units: readonly Unit[]): Unit[] =>
  units
    .filter((unit) => measured(unit, "functional") !== undefined)
    .toSorted((a, b) => measured(a, "functional")! - measured(b, "functional")! || (a.name < b.name ? -1 : 1))
    .slice(0, mostWorst);

/** "The 10 districts where the smallest share works"; of sites, those that do not work. */
export const worstWords = (level: ReportFigures["level"], count: number): string =>
  `The ${formatNumber(count)} ${unitWords[level][1]} where the smallest share works`;
