import { useMay } from "../shell/session/viewer.ts";
import type { Need } from "./siteFilters.ts";

/** Whether the viewer has the right that a part of a question needs, if it needs one. */
export function useNeeds(): (part: object) => boolean {
  const rights: Record<Need, boolean> = { viewAssessments: useMay("viewAssessments"), viewTdbs: useMay("viewTdbs") };
  return (part) => !("needs" in part) || rights[part.needs as Need];
}
