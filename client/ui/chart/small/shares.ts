/** Parts of a whole, and their words. */

/** A part of a whole in percent; undefined if the whole is zero or the part is unknown. */
export const shareOf = (value: number | null | undefined, of: number | null | undefined): number | undefined =>
  value == null || of == null || of === 0 ? undefined : (100 * value) / of;

/** "83 %", with a space that does not break; less than one percent is not shown as zero. */
export function percent(share: number | undefined): string {
  if (share === undefined) return "–";
  if (share > 0 && share < 1) return "<\u00a01\u00a0%";
  if (share < 100 && share > 99) return ">\u00a099\u00a0%";
  return `${Math.round(share)}\u00a0%`;
}
