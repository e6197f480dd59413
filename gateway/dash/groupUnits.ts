import { type GroupKeys, type Key, ownKeys } from "../../db/dash/groupKeys.ts";
import { countSites, listUnits, type UnitKey } from "../../db/dash/groupUnits.ts";
import { namedPeriodOf, periodEnd, type PeriodKind, type RelativePeriod } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import { modes } from "../facility/mode.rules.ts";
import { invalid } from "../problem.ts";
import { keyOf } from "./groupFigures.ts";
import { type GroupKey, kindOf } from "./groups.rules.ts";

/**
 * Every group of a list, those in which nothing was counted too: each combination of the provinces, districts, partners,
 * modes, periods and weekdays of the scope, and of the values that occur of the other keys.
 */

export const mostGroups = 10_000;

export const tooMany = () =>
  invalid([
    {
      path: "by",
      message: `makes more than ${mostGroups} groups: group by fewer keys, narrow the scope or the days, or give minimumSize 1, which leaves out empty groups`,
    },
  ]);

type Days = { start: string; end: string };

const thisPeriod = { month: "THIS_MONTH", quarter: "THIS_QUARTER", year: "THIS_YEAR" } satisfies Record<
  PeriodKind,
  RelativePeriod
>;
/** The periods of a kind that have a day of the range. */
function periodsOn(kind: PeriodKind, { start, end }: Days): { periodStart: string }[] {
  const found = [];
  let period = namedPeriodOf({ relative: thisPeriod[kind] }, start);
  for (; period.start <= end && found.length <= mostGroups; period = { kind, start: periodEnd(period) })
    found.push({ periodStart: period.start });
  return found;
}

/** The days of the week in a range: 1 (Monday) to 7. */
function weekdaysOn(days: Days | null): { weekday: number }[] {
  const first = days ? new Date(days.start).getUTCDay() || 7 : 1;
  const count = days ? (Date.parse(days.end) - Date.parse(days.start)) / 86_400_000 + 1 : 7;
  return Array.from({ length: Math.min(7, count) }, (_, index) => ({ weekday: ((first + index - 1) % 7) + 1 }));
}

/** The columns of a key, in the order in which it sorts. */
const columnsOf: Record<GroupKey, (keyof GroupKeys)[]> = {
  province: ["province", "provinceId"],
  district: ["district", "districtId", "province", "provinceId"],
  implementingPartner: ["implementingPartner", "implementingPartnerId"],
  mode: ["mode"],
  libraryVersion: ["libraryVersion"],
  facilityOwner: ["facilityOwner"],
  facilityType: ["facilityType"],
  healthCenterType: ["healthCenterType"],
  laboratoryLevel: ["laboratoryLevel"],
  operationStatus: ["operationStatus"],
  connectivityPresent: ["connectivityPresent"],
  connectivityType: ["connectivityType"],
  mobileCoverage: ["mobileCoverage"],
  serviceArea: ["serviceArea", "serviceAreaId"],
  distance: ["distanceFrom", "distanceTo"],
  smartCareFunctional: ["smartCareFunctional"],
  user: ["userName", "userUuid"],
  weekday: ["weekday"],
  month: ["periodStart"],
  quarter: ["periodStart"],
  year: ["periodStart"],
};

/** As the database sorts: what has no value comes last. */
function inOrderOf(by: readonly GroupKey[]): (one: GroupKeys, other: GroupKeys) => number {
  const columns = by.flatMap((key) => columnsOf[key]);
  return (one, other) => {
    for (const column of columns) {
      const [a, b] = [one[column] ?? null, other[column] ?? null];
      if (a !== b) return a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
    }
    return 0;
  };
}

const ofPlaces: ReadonlySet<GroupKey> = new Set(["province", "district", "implementingPartner"]);
const ofCalendar: ReadonlySet<GroupKey> = new Set(["month", "quarter", "year"]);

/** The values of some columns that occur together. */
function occurring(rows: readonly GroupKeys[], columns: readonly (keyof GroupKeys)[]): GroupKeys[] {
  const found = rows.map((row): GroupKeys => Object.fromEntries(columns.map((column) => [column, row[column]])));
  return [...new Map(found.map((group) => [keyOf(group), group])).values()];
}

/** `isOfWhole`: the groups are divided by the sites that there are, so those of these sites are there too. */
type Asked = Pick<Parameters<typeof countSites>[1], "scope" | "distance" | "asOf"> & {
  by: readonly GroupKey[];
  mode?: string | null | undefined;
  days: Days | null;
  isOfWhole: boolean;
};

/**
 * The groups of a list with those in which nothing was counted, which have `none`. Without `days` the periods are those
 * that occur.
 *
 * @throws Problem INVALID
 */
export async function withEmptyGroups<Row extends GroupKeys>(
  context: Context,
  { by, scope, mode, days, isOfWhole, ...at }: Asked,
  rows: readonly Row[],
  none: object,
): Promise<Row[]> {
  const kind = kindOf(by);
  const units = by.filter((key) => ofPlaces.has(key));
  const others = by.filter(
    (key) => !ofPlaces.has(key) && key !== "mode" && key !== "weekday" && !(days && ofCalendar.has(key)),
  );
  const isOfSites = others.length > 0 && others.every((key) => !ofCalendar.has(key) && !ownKeys.has(key as Key));
  const sites = isOfWhole && isOfSites ? await countSites(context.db, { by: others as Key[], scope, ...at }) : [];
  const values: GroupKeys[][] = [
    ...(units.length > 0 ? [await listUnits(context.db, { by: units as UnitKey[], scope })] : []),
    ...(by.includes("mode") ? [(mode == null ? [...modes, null] : [mode]).map((each) => ({ mode: each }))] : []),
    ...(by.includes("weekday") ? [weekdaysOn(days)] : []),
    ...(kind && days ? [periodsOn(kind, days)] : []),
    ...(others.length > 0
      ? [
          occurring(
            [...rows, ...sites],
            others.flatMap((key) => columnsOf[key]),
          ),
        ]
      : []),
  ];
  if (values.reduce((count, { length }) => count * length, 1) > mostGroups) throw tooMany();
  const groups = values.reduce<GroupKeys[]>(
    (before, each) => before.flatMap((group) => each.map((value) => ({ ...group, ...value }))),
    [{}],
  );
  const counted = new Set(rows.map(keyOf));
  const empty = groups.filter((group) => !counted.has(keyOf(group))).map((group) => ({ ...none, ...group }) as Row);
  return [...rows, ...empty].toSorted(inOrderOf(by));
}
