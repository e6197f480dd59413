import type { ReactNode } from "react";

/** The charts of a comparison side by side, or one below the other on a narrow screen. There may be only one. */
export function SidesSection({ children }: { children: ReactNode[] }) {
  const shown = children.filter(Boolean);
  return shown.length > 1 ? <div className="chart-sides grid">{shown}</div> : shown;
}
