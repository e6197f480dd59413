import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { useAddress } from "../ui/filter/listAddress.ts";
import { SortSelect } from "../ui/filter/SortSelect.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import {
  measures,
  mostFrequentMode,
  notRecorded,
  percent,
  recorded,
  shareOf,
  siteWords,
  unknownWords,
} from "./situationFigures.ts";
import { type FigureName, unitFigureLink, unitLink } from "./situationLinks.ts";
import type { SituationAnswer, SituationPartProps, SituationUnitAnswer } from "./SituationSection.tsx";

type Unit = SituationUnitAnswer;
type UnitColumn = {
  id: string;
  header: string;
  value: (unit: Unit) => number | string | undefined;
  cell: (unit: Unit) => ReactNode;
  /** The list of what the cell counts, if there is one: its figure, the count, and the text of the cell. */
  listed?: (unit: Unit) => { figure: FigureName; of: number | null | undefined; text: string };
};

const countBy = (id: FigureName, header: string, valueOf: (unit: Unit) => number | null | undefined): UnitColumn => ({
  id,
  header,
  value: (unit) => valueOf(unit) ?? undefined,
  cell: (unit) => (valueOf(unit) == null ? "–" : formatNumber(valueOf(unit)!)),
  listed: (unit) => ({ figure: id, of: valueOf(unit), text: formatNumber(valueOf(unit) ?? 0) }),
});
const count = (id: "facilities" | "assessed", header: string) => countBy(id, header, (unit) => unit[id]);
/** If no facility is expected to send, none can be silent: the value is unknown, not zero. */
const silentCount = countBy("silent", "Silent", (unit) => (unit.expected === 0 ? undefined : unit.silent));
/** A share with its denominator. If nothing was assessed, the value is unknown, not zero. */
const share = (id: "functional" | "power", header: string): UnitColumn => ({
  id,
  header,
  value: (unit) => shareOf(unit[id], unit.assessed),
  cell: (unit) =>
    unit.assessed === 0 ? (
      <span className="note">not assessed</span>
    ) : (
      <span
        title={
          unit.assessed == null
            ? undefined
            : `${formatNumber(unit[id] ?? 0)} of ${formatNumber(unit.assessed)} assessed${unknownWords(notRecorded(unit, id))}`
        }
      >
        {percent(shareOf(unit[id], unit.assessed))}
        {notRecorded(unit, id) > 0 ? (
          <>
            {" "}
            <br />
            <span className="note">{formatNumber(notRecorded(unit, id))} not recorded</span>
          </>
        ) : null}
      </span>
    ),
  listed: (unit) => ({
    figure: id,
    of: unit[id],
    text: `${percent(shareOf(unit[id], unit.assessed))}${unknownWords(notRecorded(unit, id))}`,
  }),
});

const change: UnitColumn = {
  id: "change",
  header: "Change (points)",
  value: ({ functionalShareChange }) => functionalShareChange ?? undefined,
  cell: ({ functionalShareChange: points }) =>
    points == null ? "–" : points === 0 ? "0" : `${points > 0 ? "+" : "−"}${Math.abs(points)}`,
};
/** The target for the functional share, shown if any unit has one. Sorted by attainment. */
const target: UnitColumn = {
  id: "target",
  header: "Target",
  value: ({ functionalAttainment }) => functionalAttainment ?? undefined,
  cell: ({ functionalTarget: share, functionalAttainment: attained }) =>
    share == null ? (
      "–"
    ) : attained == null ? (
      `${share} %`
    ) : (
      <>
        {share} % <br />
        <span className="note">{attained} % attained</span>
      </>
    ),
};
const width = 84;
const height = 24;

/**
 * The functional share over the quarters as a small line, with the same in words. Quarters before the first visit have
 * no point.
 */
function TrendChart({ quarters }: { quarters: Unit["quarters"] }) {
  const shares = quarters.map(({ functional, assessed }) => shareOf(functional, assessed));
  const known = shares.flatMap((share, index) =>
    share === undefined
      ? []
      : [
          {
            x: 2 + (index * (width - 4)) / Math.max(1, shares.length - 1),
            y: height - 2 - (share * (height - 4)) / 100,
          },
        ],
  );
  if (known.length === 0) return <span className="note">–</span>;
  const last = known.at(-1)!;
  const words = quarters.map(({ functional, assessed, notRecordedFunctional: unknown }, index) =>
    assessed === 0
      ? "not assessed"
      : `${percent(shares[index])} (${formatNumber(functional)} of ${formatNumber(assessed)}${unknownWords(unknown)})`,
  );
  return (
    <svg
      aria-label={`Functional share of the last ${quarters.length} quarters: ${words.join(", ")}`}
      className="situation-trend"
      height={height}
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      <polyline points={known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} />
      <circle cx={last.x} cy={last.y} r="2" />
    </svg>
  );
}
const trend: UnitColumn = {
  id: "trend",
  header: "Eight quarters",
  value: ({ functional, assessed }) => shareOf(functional, assessed),
  cell: ({ quarters }) => <TrendChart quarters={quarters} />,
};

/** Shown while the map is coloured by mode, because not everybody can distinguish modes by colours alone. */
const mode: UnitColumn = {
  id: "mode",
  header: measures.mode.label,
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
function unknownOf(unit: Unit, id: "functional" | "power" | "silent"): string | undefined {
  if (id === "silent") return unit.expected === 0 ? "not expected" : undefined;
  if (unit.assessed === 0) return "not assessed";
  return notRecorded(unit, id) > 0 ? "not recorded" : undefined;
}

const yesNo = (id: "functional" | "power" | "silent"): UnitColumn => ({
  id,
  header: siteWords[id].about,
  value: (unit) => (unknownOf(unit, id) === undefined ? (unit[id] ?? undefined) : undefined),
  cell: (unit) => {
    if (unit[id] == null) return "–";
    const unknown = unknownOf(unit, id);
    return unknown === undefined ? (
      siteWords[id].words[unit[id] === 1 ? 1 : 0]
    ) : (
      <span className="note">{unknown}</span>
    );
  },
});

const name = (header: string): UnitColumn => ({
  id: "name",
  header,
  value: (unit) => unit.name,
  cell: (unit) => unit.name,
});
const levels = { PROVINCE: "Province", DISTRICT: "District", FACILITY: "Facility" };
function columnsOf(level: SituationAnswer["level"], units: readonly Unit[], isByMode: boolean): UnitColumn[] {
  const modes = isByMode ? [mode] : [];
  if (level === "FACILITY") return [name("Facility"), ...modes, yesNo("functional"), yesNo("power"), yesNo("silent")];
  const counts = [name(levels[level]), count("facilities", "Facilities"), count("assessed", "Assessed")];
  // Before the first assessment there is nothing to compare. The table then shows where to visit first.
  if (units.every(({ assessed }) => assessed === 0))
    return [
      ...counts,
      countBy("neverAssessed", "Never assessed", ({ facilities, assessed }) => facilities - (assessed ?? 0)),
      silentCount,
    ];
  const targets = units.some(({ functionalTarget }) => functionalTarget != null) ? [target] : [];
  return [
    ...counts,
    ...modes,
    share("functional", "Functional"),
    ...targets,
    share("power", "Power"),
    silentCount,
    change,
    ...(isByMode ? [] : [trend]),
  ];
}

/** Units without a value come last, in both directions. */
function compare(a: number | string | undefined, b: number | string | undefined, falling: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return falling ? -order : order;
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

/** A column of the table: a name links to its unit, a figure to the list of what it counts. */
function asLinks(
  column: UnitColumn,
  toUnit: (unit: Unit) => string,
  linkOf: (figure: FigureName, unit: Unit) => string | undefined,
): Column<Unit> {
  const { id, header } = column;
  if (id === "name")
    return {
      id,
      header,
      sort: id,
      rowHeader: true,
      cell: (unit) => <ScopeLink to={toUnit(unit)}>{unit.name}</ScopeLink>,
    };
  return {
    id,
    header,
    sort: id,
    numeric: true,
    cell: (unit) => <Listed column={column} linkOf={linkOf} unit={unit} />,
  };
}

/** What identifies a unit for the map beside the table. */
export const unitKey = ({
  hxId,
  facilityUuid,
}: {
  hxId?: number | null | undefined;
  facilityUuid?: string | null | undefined;
}): string => facilityUuid ?? String(hxId);

/** The units of a scope, sorted by any column. */
export function SituationUnitsTable({ scope, situation: { level, units }, marked, onMark }: SituationPartProps) {
  const [url] = useSearchParams();
  const change = useAddress();
  const columns = columnsOf(level, units, url.get("measure") === "mode");
  const toUnit = (unit: Unit) => unitLink(level, unit, scope.implementingPartnerId);
  const linkOf = (figure: FigureName, unit: Unit) => unitFigureLink(figure, level, unit, scope.implementingPartnerId);
  const isOrder = (text: string | null): text is string => columns.some(({ id }) => id === text?.replace(/^-/, ""));
  const asked = url.get("units");
  const by = isOrder(asked) ? asked : "name";
  const onSort = (chosen: string) => change({ units: chosen });
  const { value } = columns.find(({ id }) => id === by.replace(/^-/, ""))!;
  const rows = units.toSorted((a, b) => compare(value(a), value(b), by.startsWith("-")) || (a.name < b.name ? -1 : 1));
  return (
    <div className="situation-units stack">
      <div className="only-narrow">
        <SortSelect
          orders={Object.fromEntries(columns.map(({ id, header }) => [id, header]))}
          sorting={{ by, onSort }}
        />
      </div>
      <DataTable
        caption={`By ${levels[level].toLowerCase()}`}
        columns={columns.map((column) => asLinks(column, toUnit, linkOf))}
        marking={{ marked, onMark }}
        rowKey={unitKey}
        rows={rows}
        sorting={{ by, onSort }}
      />
    </div>
  );
}
