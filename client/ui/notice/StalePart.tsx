import type { ReactNode } from "react";
import "./states.css";

/** Content that is pale, and said to be busy, while a newer answer is fetched. */
export function StalePart({ isStale, children }: { isStale: boolean; children: ReactNode }) {
  return (
    <div className={isStale ? "query-stale" : undefined} aria-busy={isStale}>
      {children}
    </div>
  );
}
