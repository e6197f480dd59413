import { CombinedError } from "urql";
import type { OperationResult } from "urql";
import type { AnswerTexts } from "./documents.ts";
import { hasFieldNote } from "./store/fieldNote.ts";
import { makeRoom } from "./store/room.ts";
import { failedWith, SessionEnded } from "./ui/network/failureWords.ts";
import { findHolder, keep, list, noteUse, read } from "./store/store.ts";

/**
 * Answers that are stored on this device, so that the screens of a visit open without network: who is signed in, recent
 * facilities and their assessments, and the lists to choose from. They are in the person's encrypted store, and are
 * deleted when the person signs out.
 */

const keptQueries = new Set([
  "FacilityScreenQuery",
  "FacilityScreen_records",
  "AssessmentScreenQuery",
  "PastAssessmentsTabQuery",
]);
const mostBytes = 8_000_000;
const mostTextBytes = 2_000_000;
const longestText = 100_000;
const tidyAfterMs = 2000;

/** The name of the query that asks who is signed in. */
export const sessionAnswer = "EarlySessionQuery";

/** An answer as received, with the tag by which the server knows whether it is still current. */
type KeptAnswer = { data: unknown; etag?: string };

const keyOf = (name: string, variables: unknown) => `${name}:${JSON.stringify(variables)}`;
/**
 * The group of an answer. A group is deleted together: the answers of one facility are a group, any other answer is one
 * by itself. Answers that open the application have no group and are never deleted to save space.
 */
const groupOf = (name: string, variables: object) =>
  name === sessionAnswer
    ? undefined
    : "facilityUuid" in variables
      ? String(variables.facilityUuid)
      : keyOf(name, variables);

const isOf = async (person: string): Promise<boolean> => (await findHolder())?.userUuid === person;

let tidying: ReturnType<typeof setTimeout> | undefined;
/** Deletes answers beyond the limit a little later, once for everything that was stored meanwhile. */
function tidySoon(): void {
  tidying ??= setTimeout(() => {
    tidying = undefined;
    void findHolder()
      .then(async (holder) => {
        if (!holder) return;
        await makeRoom(holder.owner, "answer", mostBytes);
        await makeRoom(holder.owner, "text", mostTextBytes);
      })
      .catch(() => {});
  }, tidyAfterMs);
}

/**
 * Stores this person's answer, if the device can, and returns whether it did. If not, the network is needed next time.
 */
export async function keepAnswer(
  person: string,
  name: string,
  variables: object,
  answer: KeptAnswer,
): Promise<boolean> {
  try {
    if (!(await isOf(person))) return false;
    await keep("answer", keyOf(name, variables), answer, groupOf(name, variables));
    tidySoon();
    return true;
  } catch {
    return false;
  }
}

const beingStored = new Set<Promise<boolean>>();

/** Waits for the answers that are being stored. Returns whether the device stored all of them. */
export const answersStored = async (): Promise<boolean> => (await Promise.all(beingStored)).every(Boolean);

/**
 * The answers of a former client to a facility's page and to the form of a new visit, as the one answer that both have
 * now.
 */
async function withFormerForm(kept: KeptAnswer, variables: { facilityUuid?: string }): Promise<KeptAnswer> {
  const { facilityUuid } = variables;
  const page = kept.data as { facility?: object; smartCareAssessmentVersions?: unknown };
  if (page.smartCareAssessmentVersions) return kept;
  const former = await read<KeptAnswer>(
    "answer",
    keyOf("AssessmentScreenQuery", { facilityUuid, assessmentUuid: "", isEdit: false }),
  );
  const form = former?.data as typeof page | undefined;
  return form ? { ...kept, data: { ...form, ...page, facility: { ...form.facility, ...page.facility } } } : kept;
}

/** The stored answer. Reading it counts as use. */
export async function findKeptAnswer(name: string, variables: object): Promise<KeptAnswer | undefined> {
  try {
    const key = keyOf(name, variables);
    const kept = await read<KeptAnswer>("answer", key);
    if (kept) noteUse("answer", key).catch(() => {});
    return kept && name === "FacilityScreenQuery" ? await withFormerForm(kept, variables) : kept;
  } catch {
    return undefined;
  }
}

/**
 * This person's answers as received, with their tags, so that an answer that has not changed since the last visit is
 * not sent again.
 */
export const answerTextsOf = (person: string): AnswerTexts => ({
  find: async (url) => ((await isOf(person)) ? read("text", url) : undefined),
  keep: async (url, answer) => {
    if (answer.text.length > longestText || !(await isOf(person))) return;
    await keep("text", url, answer, url);
    tidySoon();
  },
});

const formerPrefix = "answer:";
const formerOwner = "answers-of";

/**
 * An older client stored answers in localStorage, unencrypted. Those of this person are taken over, those of others are
 * deleted. Windows of the older client may write there for another 30 days.
 */
export async function takeFormerAnswers(person: string | undefined): Promise<void> {
  try {
    const isOwn = person !== undefined && localStorage.getItem(formerOwner) === person;
    for (const former of Object.keys(localStorage).filter((key) => key.startsWith(formerPrefix))) {
      const [, name, variables] = /^answer:(\w+):(.*)$/s.exec(former) ?? [];
      if (isOwn && name && variables && keptQueries.has(name)) {
        const { data } = JSON.parse(localStorage.getItem(former)!) as { data: unknown };
        const [key, given] = [`${name}:${variables}`, JSON.parse(variables) as object];
        if ((await read("answer", key)) === undefined) await keep("answer", key, { data }, groupOf(name, given));
      }
      localStorage.removeItem(former);
    }
    localStorage.removeItem(formerOwner);
  } catch {
    // What could not be taken over stays for the next time.
  }
}

/** A facility whose page opens on this device without network. */
export type KeptFacility = {
  facilityUuid: string;
  facilityName: string;
  hmisCode: string | null;
  districtName: string;
};

type FacilityAnswer = {
  facility: { facilityUuid: string; facilityName: string; hmisCode: string | null; district: { name: string } } | null;
};

/** The facilities whose pages open on this device without network, the last used first. */
export async function listKeptFacilities(): Promise<KeptFacility[]> {
  const answers = await list<KeptAnswer>("answer").catch(() => []);
  return answers
    .filter(({ key }) => key.startsWith("FacilityScreenQuery:"))
    .toSorted((one, other) => (one.keptAt > other.keptAt ? -1 : 1))
    .flatMap(({ value }) => {
      const { facility } = value.data as FacilityAnswer;
      return facility ? { ...facility, districtName: facility.district.name } : [];
    });
}

function nameOf({ operation }: OperationResult): string | undefined {
  const [definition] = operation.query.definitions;
  return definition && "name" in definition ? definition.name?.value : undefined;
}

/** The sites on this device from which an answer was made without network (client/facility/fieldAnswers.ts). */
export type FromField = { scopeName: string; total: number; asOf: string };

/** An answer that a window shows; `field` if it was made from the sites on this device. */
type Shown = { data: unknown; field?: FromField };

/**
 * The answers that this window shows. They stay on the screen if they are queried again and no answer comes, even if
 * the device does not store them.
 */
const shown = new Map<string, Shown>();

/** Forgets what this window shows, because the person has changed. */
export const forgetShown = (): void => shown.clear();

async function madeFromField(name: string, variables: object): Promise<Shown | undefined> {
  if (!(await hasFieldNote())) return undefined;
  const { answerFromField } = await import("./facility/fieldAnswers.ts");
  return answerFromField(name, variables);
}

/**
 * The answer of this device when there is no network: the stored one, the one that the window shows, or one made from
 * the sites on this device.
 */
async function answerHere(result: OperationResult, name: string, variables: object): Promise<OperationResult> {
  const key = keyOf(name, variables);
  const before = shown.get(key);
  const kept: Shown | undefined = keptQueries.has(name) ? await findKeptAnswer(name, variables) : undefined;
  // The sites may have changed since. If the disk is full, they may not even be readable.
  const answer =
    kept ??
    (before && !before.field ? before : ((await madeFromField(name, variables).catch(() => undefined)) ?? before));
  if (!answer) return result;
  if (keptQueries.has(name)) shown.set(key, answer);
  const { data, field } = answer;
  return { ...result, data, error: undefined, ...(field ? { extensions: { field } } : {}) };
}

/**
 * The last result of each query for which this device is searched. Meanwhile the network may be back: then the server's
 * answer comes first, and what the device has must not replace it.
 */
const searched = new Map<number, { last: OperationResult; searches: number }>();

/**
 * Stores each answer, and returns a stored one when there is no network or the session ended. If the device stores
 * nothing, answers pass through unchanged.
 */
export function withKeptAnswers(
  result: OperationResult,
  person: string | undefined,
): OperationResult | Promise<OperationResult> {
  const name = nameOf(result);
  if (!person || result.operation.kind !== "query" || !name) return result;
  const { variables } = result.operation as { variables: object };
  if (result.data && !result.error && keptQueries.has(name)) {
    shown.set(keyOf(name, variables), { data: result.data });
    const stored = keepAnswer(person, name, variables, { data: result.data });
    beingStored.add(stored);
    void stored.then(() => beingStored.delete(stored));
  }
  const isEnded = failedWith(result.error, "UNAUTHENTICATED");
  const { key } = result.operation;
  const search = searched.get(key) ?? { last: result, searches: 0 };
  search.last = result;
  if (!isEnded && !result.error?.networkError) return result;
  const { response } = result.error ?? {};
  const failed = isEnded
    ? { ...result, error: new CombinedError({ networkError: new SessionEnded(), response }) }
    : result;
  search.searches += 1;
  searched.set(key, search);
  return answerHere(failed, name, variables)
    .catch(() => failed)
    .then((found) => {
      search.searches -= 1;
      if (search.searches === 0) searched.delete(key);
      return search.last.error ? found : search.last;
    });
}
