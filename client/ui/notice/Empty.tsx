import type { ReactNode } from "react";
import "./states.css";

/** Says that there is nothing to show, and why. */
export function Empty({ children }: { children: ReactNode }) {
  return <p className="state state-empty">{children}</p>;
}
