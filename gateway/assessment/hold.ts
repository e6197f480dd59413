import { findAnswersBefore, updateAssessmentHeld } from "../../db/assessment/setAside.ts";
import type { Handle } from "../../db/engine/connect.ts";
import type { InputError } from "../problem.ts";
import type { AssessmentRow } from "./assessment.ts";
import type { Content } from "./content.rules.ts";
import { unusualIn } from "./unusual.rules.ts";

/**
 * Visits with an answer far from usual. The form asks the person before it saves; what a program sends is held. A
 * program is whoever calls with a token, or by REST: the form saves by GraphQL, in the person's session.
 */

/** How a save came: from a form that has asked, or from a program. */
export type Saver = "form" | "program";

/**
 * Holds or releases a visit, and returns why it is held now. It becomes held by an unusual answer that a program gave
 * (`given`), and stays held until no answer is unusual, or an administrator accepts it.
 */
export async function holdOrRelease(
  handle: Handle,
  { assessmentUuid, assessmentDate, held: before }: Pick<AssessmentRow, "assessmentUuid" | "assessmentDate" | "held">,
  content: Content,
  given: ((field: string) => boolean) | null,
): Promise<string | null> {
  if (before === null && given === null) return null;
  const last = await findAnswersBefore(handle, { assessmentUuid });
  const unusual = unusualIn(content, last ?? null, assessmentDate);
  const isHeld = unusual.length > 0 && (before !== null || unusual.some(({ field }) => given!(field)));
  const held = isHeld ? unusual.map(({ reason }) => reason).join("; ") : null;
  if (held !== before) await updateAssessmentHeld(handle, { assessmentUuid, held });
  return held;
}

/** A warning for whoever sent a visit that is held. */
export const warnHeld = (held: string | null): InputError[] =>
  held === null ? [] : [{ path: "held", message: `Held until an administrator accepts it: ${held}.` }];
