import { NonIdealState } from "@blueprintjs/core";
import type { ReactNode } from "react";
import "./states.css";

/** Says that there is nothing to show, and why. */
export function Empty({ children }: { children: ReactNode }) {
  return <NonIdealState className="state state-empty" description={<p>{children}</p>} />;
}
