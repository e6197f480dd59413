/** The period in which the facilities of a list had a mode, as far as its parts hang together. */
export type ListPeriod = { mode?: unknown; year?: number | null; quarter?: number | null; month?: number | null };

/** What is wrong with the parts of a list's period beside each other, by the part's name. Each part has its own rule before. */
export function periodFaults({ mode, year, quarter, month }: ListPeriod): { path: "year" | "month" | "mode"; message: string }[] {
  return [
    ...(year == null && quarter != null ? [{ path: "year" as const, message: "is needed with quarter" }] : []),
    ...(year == null && month != null ? [{ path: "year" as const, message: "is needed with month" }] : []),
    ...(quarter != null && month != null ? [{ path: "month" as const, message: "cannot be given together with quarter" }] : []),
    ...(year != null && mode == null ? [{ path: "mode" as const, message: "is needed with year" }] : []),
  ];
}
