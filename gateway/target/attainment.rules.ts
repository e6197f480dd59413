import { type TargetMeasure, targetMeasures } from "../../db/target/target.rules.ts";

/** The measures of targets, which target applies to a scope, and how much of it was reached. */

/**
 * What each measure counts: its name on screens, its sum in the rows of the dashboards, and the number of facilities of
 * which it is not recorded (a mode always is).
 */
export const measuresOfTargets = {
  functional: {
    label: "Functional facilities",
    sum: "sumSmartCareFunctional",
    notRecorded: "notRecordedSmartCareFunctional",
  },
  primaryPowerWorking: {
    label: "Primary power working",
    sum: "sumPrimaryPowerWorking",
    notRecorded: "notRecordedPrimaryPowerWorking",
  },
  backupPowerWorking: {
    label: "Backup power working",
    sum: "sumBackupPowerWorking",
    notRecorded: "notRecordedBackupPowerWorking",
  },
  efirst: { label: "E-First", sum: "efirst", notRecorded: null },
} as const satisfies Record<TargetMeasure, { label: string; sum: string; notRecorded: string | null }>;

type Unit = { provinceId?: number | null; districtId?: number | null; implementingPartnerId?: number | null };
type Aim = Unit & { measure: TargetMeasure; year: number };

/**
 * The rank of a target for a scope: first that of the district, then of the province, then of the partner, last of the
 * country.
 */
const rank = ({ provinceId, districtId, implementingPartnerId }: Unit): number => {
  if (districtId != null) return 0;
  if (provinceId != null) return 1;
  return implementingPartnerId == null ? 3 : 2;
};

/** Whether a target applies to a scope: it is for the country, or for a unit that the scope names. */
export const holdsFor = (target: Unit, scope: Unit): boolean =>
  (["provinceId", "districtId", "implementingPartnerId"] as const).every(
    (name) => target[name] == null || target[name] === scope[name],
  );

/** The target of the first rank for each year and measure, of those that apply to a scope. */
export function nearestTargets<T extends Aim>(targets: readonly T[]): T[] {
  const nearest = new Map<string, T>();
  for (const target of targets) {
    const key = `${target.year} ${target.measure}`;
    const other = nearest.get(key);
    if (!other || rank(target) < rank(other)) nearest.set(key, target);
  }
  return [...nearest.values()].toSorted(
    (a, b) => a.year - b.year || targetMeasures.indexOf(a.measure) - targetMeasures.indexOf(b.measure),
  );
}

/** A part of a whole as a fraction from 0 to 1; null if the whole is zero. */
export const partOf = (value: number, of: number): number | null => (of === 0 ? null : value / of);

/** A part of a whole in percent, with one decimal; null if the whole is zero. */
export const percentOf = (value: number, of: number): number | null =>
  of === 0 ? null : Math.round((1000 * value) / of) / 10;

/**
 * How much of a target was reached, in percent with one decimal: 100 if it is met. Null if nothing was assessed, or the
 * target is zero.
 */
export function attainmentOf({
  value,
  assessed,
  percent,
}: {
  value: number;
  assessed: number;
  percent: number;
}): number | null {
  return assessed === 0 || percent === 0 ? null : Math.round((100_000 * value) / assessed / percent) / 10;
}
