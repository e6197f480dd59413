import type { ReactNode } from "react";

/** The charts of a comparison side by side, one below the other where it is narrow; or the only one. */
export function SidesSection({ children }: { children: ReactNode[] }) {
  const shown = children.filter(Boolean);
  return shown.length > 1 ? <div className="chart-sides">{shown}</div> : shown;
}
