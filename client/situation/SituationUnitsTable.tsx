import { Tag } from "@blueprintjs/core";
import { WarningSignIcon } from "@blueprintjs/icons";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { ShareBar } from "../ui/chart/small/ShareBar.tsx";
import { useAddress } from "../ui/filter/listAddress.ts";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { SortSelect } from "../ui/filter/SortSelect.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import {
  countedBy,
  type Figure,
  figures,
  figureWords,
  type Measure,
  measured,
  mostFrequentMode,
  recorded,
  rests,
  siteWords,
  unknownWords,
} from "./situationFigures.ts";
import { percent, shareOf } from "../ui/chart/small/shares.ts";
import { type FigureName, unitFigureLink, unitKey } from "./situationLinks.ts";
import type { SituationAnswer, SituationPartProps, SituationUnitAnswer } from "./SituationSection.tsx";
import { TrendChart } from "./TrendChart.tsx";

type Unit = SituationUnitAnswer;
type UnitColumn = {
  id: string;
  header: string;
  value: (unit: Unit) => number | string | undefined;
  cell: (unit: Unit) => ReactNode;
  /** The list that the cell opens, if there is one: its figure, how many it has, and the text of the cell. */
  listed?: (unit: Unit) => { figure: FigureName; of: number; text: string };
};

const countBy = (id: FigureName, header: string, valueOf: (unit: Unit) => number): UnitColumn => ({
  id,
  header,
  value: valueOf,
  cell: (unit) => formatNumber(valueOf(unit)),
  listed: (unit) => ({ figure: id, of: valueOf(unit), text: formatNumber(valueOf(unit)) }),
});

/**
 * A share with its whole, as a number and a bar, which opens the sites that fail. If there is nothing to count, it is
 * unknown, not zero.
 */
const share = (figure: Figure): UnitColumn => ({
  id: figure,
  header: figureWords[figure].column,
  value: (unit) => measured(unit, figure),
  cell: (unit) => {
    const { value, of, notRecorded } = countedBy(figure, unit);
    if (of === 0) return <span className="note">{figure === "recent" ? "none should send" : "not assessed"}</span>;
    return (
      <ShareBar
        share={shareOf(value, of)!}
        text={percent(shareOf(value, of))}
        title={`${formatNumber(value)} of ${formatNumber(of)} ${figureWords[figure].of}${unknownWords(notRecorded)}`}
      >
        {notRecorded > 0 ? (
          <span className="note is-line">{`${formatNumber(notRecorded)}\u00a0not recorded`}</span>
        ) : null}
      </ShareBar>
    );
  },
  listed: (unit) => {
    const { value, of, notRecorded } = countedBy(figure, unit);
    const { name: rest, one, words } = rests[figure];
    const failing = of - value - notRecorded;
    const text = `${percent(shareOf(value, of))}${unknownWords(notRecorded)}, ${counted(failing, one, words)}`;
    return { figure: rest, of: failing, text };
  },
});

/** What a figure counted at the ends of the last quarters. */
const quartersOf = (figure: Figure, { quarters, facilities }: Unit) =>
  quarters.map((quarter) => countedBy(figure, { ...quarter, facilities }));

/** The change of the share since the end of the previous quarter, in percentage points. */
function pointsOf(figure: Figure, unit: Unit): number | undefined {
  const [before, now] = quartersOf(figure, unit)
    .slice(-2)
    .map(({ value, of }) => shareOf(value, of));
  return before === undefined || now === undefined ? undefined : Math.round(10 * now - 10 * before) / 10;
}
const change = (figure: Figure): UnitColumn => ({
  id: "change",
  header: "Change (points)",
  value: (unit) => pointsOf(figure, unit),
  cell: (unit) => {
    const points = pointsOf(figure, unit);
    return points === undefined ? "–" : points === 0 ? "0" : `${points > 0 ? "+" : "−"}${Math.abs(points)}`;
  },
});
const trend = (figure: Figure): UnitColumn => ({
  id: "trend",
  header: "Eight quarters",
  value: (unit) => measured(unit, figure),
  cell: (unit) => <TrendChart label={figureWords[figure].label} quarters={quartersOf(figure, unit)} />,
});

/** The target for the functional share, shown if any unit has one. Sorted by attainment. */
const target: UnitColumn = {
  id: "target",
  header: "Target",
  value: ({ functionalAttainment }) => functionalAttainment ?? undefined,
  cell: ({ functionalTarget: aim, functionalAttainment: attained }) =>
    aim == null ? (
      "–"
    ) : attained == null ? (
      `${aim} %`
    ) : (
      <>
        {aim} % <br />
        <span className="note">{attained} % attained</span>
      </>
    ),
};

/** Shown while the map is coloured by mode, because not everybody can distinguish modes by colours alone. */
const mode: UnitColumn = {
  id: "mode",
  header: "Mode",
  value: (unit) => mostFrequentMode(unit)?.label,
  cell: (unit) => {
    const most = mostFrequentMode(unit);
    if (!most) return <span className="note">not assessed</span>;
    return unit.facilityUuid != null ? (
      most.label
    ) : (
      <span>
        {most.label} <span className="note">{`${formatNumber(most.count)} of ${formatNumber(recorded(unit))}`}</span>
      </span>
    );
  },
};

/** Why it is not known whether a facility's value is yes or no; undefined if it is known. */
function unknownOf(unit: Unit, figure: Figure): string | undefined {
  const { of, notRecorded } = countedBy(figure, unit);
  if (of === 0) return figure === "recent" ? "not expected" : "not assessed";
  return notRecorded > 0 ? "not recorded" : undefined;
}

const yesNo = (figure: Figure): UnitColumn => ({
  id: figure,
  header: siteWords[figure].about,
  value: (unit) => (unknownOf(unit, figure) === undefined ? countedBy(figure, unit).value : undefined),
  cell: (unit) => {
    const unknown = unknownOf(unit, figure);
    if (unknown !== undefined) return <span className="note">{unknown}</span>;
    return siteWords[figure].words[countedBy(figure, unit).value === 1 ? 1 : 0];
  },
});

const name = (header: string): UnitColumn => ({
  id: "name",
  header,
  value: (unit) => unit.name,
  cell: (unit) => unit.name,
});
const levels = { PROVINCE: "Province", DISTRICT: "District", FACILITY: "Facility" };
function columnsOf(
  level: SituationAnswer["level"],
  units: readonly Unit[],
  measure: Measure,
  isNarrow: boolean,
): UnitColumn[] {
  const figure = measure === "mode" || measure === "facilities" ? "functional" : measure;
  const modes = measure === "mode" ? [mode] : [];
  if (level === "FACILITY") return [name("Facility"), ...modes, yesNo("functional"), yesNo("power"), yesNo("recent")];
  const facilities = {
    ...countBy("facilities", "Facilities", (unit) => unit.facilities),
    cell: (unit: Unit) => <span className="situation-sites">{formatNumber(unit.facilities)}</span>,
  };
  // Before the first assessment there is nothing to compare. The table then shows where to visit first.
  if (units.every(({ assessed }) => assessed === 0))
    return [
      name(levels[level]),
      facilities,
      share("assessed"),
      countBy("neverAssessed", "Never assessed", (unit) => unit.facilities - unit.assessed),
      share("recent"),
    ];
  const targets = !isNarrow && units.some(({ functionalTarget }) => functionalTarget != null) ? [target] : [];
  return [
    name(levels[level]),
    facilities,
    ...modes,
    ...figures.flatMap((each) => (each === "functional" ? [share(each), ...targets] : [share(each)])),
    ...(isNarrow ? [] : [change(figure)]),
    ...(isNarrow || measure === "mode" ? [] : [trend(figure)]),
  ];
}

/** Units without a value come last, in both directions. */
function compare(a: number | string | undefined, b: number | string | undefined, falling: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return falling ? -order : order;
}

/** Rising by a column, or falling; units with equal values by name. */
const sortedBy = (units: readonly Unit[], value: UnitColumn["value"], falling = false): Unit[] =>
  units.toSorted((a, b) => compare(value(a), value(b), falling) || (a.name < b.name ? -1 : 1));

const worstWords = ["worst", "2nd worst", "3rd worst"];

/** The words for the three units with the lowest shares, if there are others to compare them with. */
function worstOf(units: readonly Unit[], measure: Measure): Map<Unit, string> {
  if (measure === "mode" || measure === "facilities") return new Map();
  const known = units.filter((unit) => unit.facilityUuid == null && measured(unit, measure) !== undefined);
  const found = known.length > worstWords.length ? sortedBy(known, (unit) => measured(unit, measure)) : [];
  return new Map(worstWords.flatMap((words, at) => (found[at] ? [[found[at], words]] : [])));
}

/** A cell that links to the list of what it counts, if there is one. */
function Listed({
  column: { header, listed, cell },
  unit,
  linkOf,
}: {
  column: UnitColumn;
  unit: Unit;
  linkOf: (figure: FigureName, unit: Unit) => string | undefined;
}) {
  const found = listed?.(unit);
  const to = found?.of ? linkOf(found.figure, unit) : undefined;
  if (!found || to === undefined) return cell(unit);
  return (
    <Link aria-label={`${found.text}, ${header}, ${unit.name}`} to={to}>
      {cell(unit)}
    </Link>
  );
}

type Links = Pick<SituationPartProps, "chosen" | "linkTo"> & {
  worst: Map<Unit, string>;
  /** The figure at the end of a phone's first line. */
  first: string;
  /** A phone's first line has links; a finger has no room for more in the second. */
  isPhone: boolean;
  linkOf: (figure: FigureName, unit: Unit) => string | undefined;
};

/** What a phone's second line tells. */
const phoneColumns = new Set<string>([...figures, "neverAssessed", "mode"]);
/** Where a phone shows a column. */
const phonePlace = (id: string, first: string): Pick<Column<Unit>, "phone"> =>
  id === first || id === "facilities" ? { phone: "end" } : phoneColumns.has(id) ? { phone: "labelled" } : {};

/** A column of the table: a name links to its unit, a figure to the list of what it counts. */
function asLinks(column: UnitColumn, { worst, chosen, linkTo, linkOf, first, isPhone }: Links): Column<Unit> {
  const { id, header } = column;
  const { phone } = phonePlace(id, first);
  if (id !== "name")
    return {
      id,
      header,
      sort: id,
      numeric: true,
      ...(phone ? { phone } : {}),
      cell: (unit) =>
        isPhone && phone !== "end" ? column.cell(unit) : <Listed column={column} linkOf={linkOf} unit={unit} />,
    };
  return {
    id,
    header,
    sort: id,
    rowHeader: true,
    cell: (unit) => (
      <>
        <ScopeLink aria-current={unit === chosen ? "true" : undefined} {...linkTo(unit)}>
          {unit.name}
        </ScopeLink>
        {worst.has(unit) ? (
          <>
            {" "}
            <Tag className="situation-worst" icon={<WarningSignIcon size={12} />} intent="warning" minimal>
              {worst.get(unit)}
            </Tag>
          </>
        ) : null}
      </>
    ),
  };
}

/** The units of a scope, the worst first unless another order is chosen. */
export function SituationUnitsTable({
  scope,
  situation: { level, units },
  measure,
  marked,
  onMark,
  chosen,
  linkTo,
  isNarrow = false,
}: SituationPartProps) {
  const [url] = useSearchParams();
  const address = useAddress();
  const columns = columnsOf(level, units, measure, isNarrow);
  const linkOf = (figure: FigureName, unit: Unit) => unitFigureLink(figure, level, unit, scope.implementingPartnerId);
  const isOrder = (text: string | null): text is string => columns.some(({ id }) => id === text?.replace(/^-/, ""));
  const by = [url.get("units"), measure, "name"].find(isOrder)!;
  const onSort = (order: string) => address({ units: order });
  const { value } = columns.find(({ id }) => id === by.replace(/^-/, ""))!;
  const worst = worstOf(units, measure);
  const isPhone = useIsPhone();
  const isUnvisited = columns.some(({ id }) => id === "neverAssessed");
  const first = isUnvisited ? "neverAssessed" : measure === "facilities" ? "functional" : measure;
  return (
    <div className={`situation-units stack ${isNarrow ? "is-narrow" : ""}`}>
      <div className="only-narrow">
        <SortSelect
          orders={Object.fromEntries(columns.map(({ id, header }) => [id, header]))}
          sorting={{ by, onSort }}
        />
      </div>
      <DataTable
        caption={`By ${levels[level].toLowerCase()}`}
        captionHidden={isNarrow}
        columns={columns.map((column) => asLinks(column, { worst, chosen, linkTo, linkOf, first, isPhone }))}
        marking={{ marked, onMark }}
        rowKey={unitKey}
        rows={chosen ? [chosen] : sortedBy(units, value, by.startsWith("-"))}
        sorting={{ by, onSort }}
      />
    </div>
  );
}
