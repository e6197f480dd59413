import { type TargetMeasure, targetMeasures } from "../../db/target.rules.ts";

/** What targets count, which one holds for a scope, and how much of it was reached. */

/** What each measure counts: its name on screens, and its sum in the rows of the dashboards. */
export const measuresOfTargets = {
  functional: { label: "Functional facilities", sum: "sumSmartCareFunctional" },
  primaryPowerWorking: { label: "Primary power working", sum: "sumPrimaryPowerWorking" },
  backupPowerWorking: { label: "Backup power working", sum: "sumBackupPowerWorking" },
  efirst: { label: "E-First", sum: "efirst" },
} as const satisfies Record<TargetMeasure, { label: string; sum: string }>;

type Unit = { provinceId?: number | null; districtId?: number | null; implementingPartnerId?: number | null };
type Aim = Unit & { measure: TargetMeasure; year: number };

/** How near a target is to a scope: its district's counts before its province's, a partner's after places, the country's last. */
const rank = ({ provinceId, districtId, implementingPartnerId }: Unit): number => {
  if (districtId != null) return 0;
  if (provinceId != null) return 1;
  return implementingPartnerId == null ? 3 : 2;
};

/** Whether a scope can be held against a target: it is the country's, or of a unit that the scope names. */
export const holdsFor = (target: Unit, scope: Unit): boolean =>
  (["provinceId", "districtId", "implementingPartnerId"] as const).every((name) => target[name] == null || target[name] === scope[name]);

/** Of the targets that a scope can be held against, the nearest one for each year and measure. */
export function nearestTargets<T extends Aim>(targets: readonly T[]): T[] {
  const nearest = new Map<string, T>();
  for (const target of targets) {
    const key = `${target.year} ${target.measure}`;
    const other = nearest.get(key);
    if (!other || rank(target) < rank(other)) nearest.set(key, target);
  }
  return [...nearest.values()].toSorted((a, b) => a.year - b.year || targetMeasures.indexOf(a.measure) - targetMeasures.indexOf(b.measure));
}

/** A part of a whole in percent, with one decimal; null of nothing. */
export const shareOf = (value: number, of: number): number | null => (of === 0 ? null : Math.round((1000 * value) / of) / 10);

/** How much of a target was reached, in percent with one decimal: 100 where it is met. Null where nobody was assessed, or nothing is aimed at. */
export function attainmentOf({ value, assessed, share }: { value: number; assessed: number; share: number }): number | null {
  return assessed === 0 || share === 0 ? null : Math.round((100_000 * value) / assessed / share) / 10;
}
