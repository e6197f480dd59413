import type { Content } from "../../gateway/assessment/content.rules.ts";

/** A facility's latest assessment, from which a new one begins. */
export type LastVisit = {
  assessmentUuid: string;
  /** YYYY-MM-DD */
  assessmentDate: string;
  content: Content;
};
