import type { ReactNode } from "react";
import "./FactList.css";

/** A list of names and values, to be read only. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className="grid fact-list">{children}</dl>;
}

export type FactProps = {
  label: string;
  /** Shown if there is no value. */
  unknown: string;
  /** Uses the whole width, for a longer text. */
  isWide?: boolean;
  children: ReactNode;
};

export function Fact({ label, unknown, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? "is-wide" : undefined}>
      <dt>{label}</dt>
      <dd>{children || children === 0 ? children : <span className="soft">{unknown}</span>}</dd>
    </div>
  );
}
