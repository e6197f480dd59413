import { NotKept } from "../store/database.ts";
import { findHolder } from "../store/store.ts";
import { tickNames } from "../../gateway/assessment/fields.rules.ts";
import { blankForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import type { KeptWork } from "./keptWork.ts";

/**
 * Values that an older client stored. What it did not know is as in an empty form. The oldest one knew no instant of a
 * position, and showed a tick box without an answer as unticked: where the edited assessment has no answer, that is
 * none.
 */
function presentValues(stored: Partial<FormValues>, base: KeptWork["base"]): FormValues {
  const areas = stored.serviceAreaAssessments ?? [];
  const blank = blankForm(areas);
  const serviceAreaAssessments = blank.serviceAreaAssessments.map((area, place) => ({ ...area, ...areas[place] }));
  const values = { ...blank, ...stored, serviceAreaAssessments };
  if (stored.positionAt !== undefined) return values;
  const unanswered = tickNames.filter((name) => base !== null && base.content[name] === null && values[name] === false);
  return { ...values, ...Object.fromEntries(unanswered.map((name) => [name, null])) };
}

/** Stored work as this client would have stored it. */
export const presentWork = (work: KeptWork): KeptWork => ({
  ...work,
  values: presentValues(work.values, work.base),
  typed: work.typed && presentValues(work.typed, work.base),
});

/**
 * Unencrypted work that an older client left in localStorage, with a record for each assessment. Windows of the older
 * client may write there for another 30 days, so this is checked each time.
 */

const prefix = "assessment:";

type FormerWork = Pick<
  KeptWork,
  "facilityUuid" | "facilityName" | "assessmentUuid" | "isNew" | "base" | "values" | "keptAt"
> & {
  status: "draft" | "waiting" | "returned";
  message?: string;
};

function present({
  facilityUuid,
  facilityName,
  assessmentUuid,
  isNew,
  base,
  values,
  keptAt,
  status,
  message,
}: FormerWork): KeptWork {
  return {
    workId: assessmentUuid,
    ...{ facilityUuid, facilityName, assessmentUuid, isNew, base, values, keptAt },
    status: status === "draft" ? "draft" : "waiting",
    typed: null,
    reason: status === "returned" ? { message: message ?? "", isFinal: true } : null,
    savedAt: status === "draft" ? null : keptAt,
  };
}

function stored(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/**
 * Takes over this person's work from the older client. A record is removed there only after it is stored here.
 *
 * @throws NotKept
 */
export async function takeFormerWork(take: (work: KeptWork) => Promise<unknown>): Promise<void> {
  const storage = stored();
  const person = (await findHolder())?.userUuid;
  if (!storage || !person) throw new NotKept("closed");
  for (const key of Object.keys(storage).filter((one) => one.startsWith(`${prefix}${person}:`))) {
    const text = storage.getItem(key);
    if (!text) continue;
    try {
      await take(present(JSON.parse(text) as FormerWork));
    } catch (error) {
      if (error instanceof NotKept) throw error;
      // What cannot be read stays where it is.
      continue;
    }
    if (storage.getItem(key) === text) storage.removeItem(key);
  }
}
