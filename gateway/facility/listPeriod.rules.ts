/**
 * The time of a list of facilities by mode: a period (year, quarter, month) in which, or a day as at which, they had
 * the mode.
 */
type ListPeriod = {
  mode?: unknown;
  year?: number | null;
  quarter?: number | null;
  month?: number | null;
  asOf?: string | null;
};

/**
 * Errors for parts that do not fit together, by the name of the part. Each part must have been checked by its own rule
 * before.
 */
export function periodFaults({
  mode,
  year,
  quarter,
  month,
  asOf,
}: ListPeriod): { path: "year" | "month" | "mode" | "asOf"; message: string }[] {
  return [
    ...(year == null && quarter != null ? [{ path: "year" as const, message: "is needed with quarter" }] : []),
    ...(year == null && month != null ? [{ path: "year" as const, message: "is needed with month" }] : []),
    ...(quarter != null && month != null
      ? [{ path: "month" as const, message: "cannot be given together with quarter" }]
      : []),
    ...(year != null && mode == null ? [{ path: "mode" as const, message: "is needed with year" }] : []),
    ...(asOf != null && year != null ? [{ path: "asOf" as const, message: "cannot be given together with year" }] : []),
    ...(asOf != null && mode == null ? [{ path: "mode" as const, message: "is needed with asOf" }] : []),
  ];
}
