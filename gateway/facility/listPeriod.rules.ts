/** Whether the parts of a list's period (year, quarter, month) fit together. Facilities of such a list had a mode in that period. */
export type ListPeriod = { mode?: unknown; year?: number | null; quarter?: number | null; month?: number | null };

/** Which parts of a list's period do not fit together, by the part's name. Each part was checked by its own rule before. */
export function periodFaults({ mode, year, quarter, month }: ListPeriod): { path: "year" | "month" | "mode"; message: string }[] {
  return [
    ...(year == null && quarter != null ? [{ path: "year" as const, message: "is needed with quarter" }] : []),
    ...(year == null && month != null ? [{ path: "year" as const, message: "is needed with month" }] : []),
    ...(quarter != null && month != null ? [{ path: "month" as const, message: "cannot be given together with quarter" }] : []),
    ...(year != null && mode == null ? [{ path: "mode" as const, message: "is needed with year" }] : []),
  ];
}
