import type { OperationResult } from "urql";

/**
 * Answers that are kept on this device, so that the screens of a visit open without network: who is signed in, recent facilities
 * and their assessments, the lists to choose from. They belong to one person and go when another one signs in.
 */

const prefix = "answer:";
const ownerKey = "answers-of";
const most = 60;
const keptQueries = new Set(["EarlySessionQuery", "FacilityScreenQuery", "AssessmentScreenQuery", "PastAssessmentsTabQuery"]);

type Kept = { data: unknown; keptAt: number };

function nameOf({ operation }: OperationResult): string | undefined {
  const [definition] = operation.query.definitions;
  return definition && "name" in definition ? definition.name?.value : undefined;
}

/** Forgets every kept answer. */
function forgetKeptAnswers(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
}

function belongsTo(owner: string): void {
  if (localStorage.getItem(ownerKey) === owner) return;
  forgetKeptAnswers();
  localStorage.setItem(ownerKey, owner);
}

function keep(key: string, data: unknown): void {
  localStorage.setItem(key, JSON.stringify({ data, keptAt: Date.now() } satisfies Kept));
  const keys = Object.keys(localStorage).filter((one) => one.startsWith(prefix));
  if (keys.length <= most) return;
  const ageOf = (one: string) => (JSON.parse(localStorage.getItem(one)!) as Kept).keptAt;
  for (const old of keys.toSorted((a, b) => ageOf(a) - ageOf(b)).slice(0, keys.length - most)) localStorage.removeItem(old);
}

/** The facilities whose page opens here without network, the one that was read last first. */
export function listKeptFacilities(): { facilityUuid: string; facilityName: string }[] {
  const ofScreen = `${prefix}FacilityScreenQuery:`;
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(ofScreen))
      .map((key) => JSON.parse(localStorage.getItem(key)!) as Kept & { data: { facility: { facilityUuid: string; facilityName: string } | null } })
      .toSorted((a, b) => b.keptAt - a.keptAt)
      .flatMap(({ data: { facility } }) => facility ?? []);
  } catch {
    return [];
  }
}

/** Keeps an answer that came; takes a kept one where there is no network. Where the device keeps nothing, all is as it came. */
export function withKeptAnswers(result: OperationResult): OperationResult {
  const name = nameOf(result);
  if (result.operation.kind !== "query" || !name || !keptQueries.has(name)) return result;
  const key = `${prefix}${name}:${JSON.stringify(result.operation.variables)}`;
  try {
    if (result.data && !result.error) {
      if (name === "EarlySessionQuery")
        belongsTo((result.data as { viewer?: { user: { uuid: string } } | null }).viewer?.user.uuid ?? "");
      keep(key, result.data);
    }
    if (!result.error?.networkError) return result;
    const kept = localStorage.getItem(key);
    return kept ? { ...result, data: (JSON.parse(kept) as Kept).data, error: undefined } : result;
  } catch {
    return result;
  }
}
