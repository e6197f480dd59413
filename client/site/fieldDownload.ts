import { contentOf } from "../../gateway/assessment/content.rules.ts";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import type { SiteList } from "../../gateway/site/siteList.rules.ts";
import { noteKey } from "../store/fieldNote.ts";
import { outlineKey, readNote, readOutline, sitesKey, visitsKey } from "../facility/fieldSites.ts";
import type { FieldNote, FieldScope, KeptVisits } from "../facility/fieldSites.ts";
import { now } from "../shell/clock/clock.ts";
import { NotKept } from "../store/database.ts";
import { forget, keep, list, read } from "../store/store.ts";
import type { Boundaries } from "../ui/map/boundaries.ts";
import { ask, AskFailure } from "./ask.ts";
import { applyChanges } from "./siteChanges.ts";
import type { FieldParts, Settings, SiteChange } from "./siteChanges.ts";

/**
 * Downloads sites and keeps them up to date. A download has a part for each province or district, so that a lost
 * connection costs one part only.
 */

export type FieldChoice = {
  scope: FieldScope;
  scopeName: string;
  /** the provinces that the scope may touch */
  provinceIds: readonly number[];
  /** the districts whose last visits are wanted */
  districts: readonly { districtId: number; district: string }[];
};
export type Progress = { done: number; of: number; what: string };
type Report = (progress: Progress) => void;

type Visit = Content & { assessmentUuid: string; facilityUuid: string; assessmentDate: string };
type Version = FieldNote["versions"][number];

const query = (values: Record<string, string | number | undefined>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();

/**
 * The name of a part of this download. An earlier download's parts have other names and stay complete until this one
 * is.
 */
const newGeneration = () => Date.now().toString(36);

/** The received parts of an interrupted download, used when the same choice is tried again. */
let begun: { key: string; note: FieldNote; isVersioned: boolean } | undefined;

async function takeSites(note: FieldNote, provinceId: number): Promise<void> {
  const { body } = await ask<SiteList>(`/api/v1/site?${query({ ...note.scope, provinceId })}`);
  if (note.cursor === "") Object.assign(note, { cursor: body!.cursor, asOf: now().toISOString() });
  if (body!.total === 0) return;
  await keep("site", sitesKey(note.generation, provinceId), body);
  note.provinceIds.push(provinceId);
  note.total += body!.total;
}

/** The last visits of a district. Undefined if they have not changed. */
async function takeVisits(
  generation: string,
  district: { districtId: number; district: string },
  etag: string | null,
): Promise<FieldNote["visits"][number] | undefined> {
  const answer = await ask<Visit[]>(`/api/v1/assessment/latest/district/${district.districtId}`, etag);
  if (!answer.body) return undefined;
  const visits: KeptVisits = Object.fromEntries(
    answer.body.map((visit) => [
      visit.facilityUuid,
      { assessmentUuid: visit.assessmentUuid, assessmentDate: visit.assessmentDate, content: contentOf(visit) },
    ]),
  );
  await keep("site", visitsKey(generation, district.districtId), visits);
  return { ...district, count: answer.body.length, etag: answer.etag };
}

/** The outlines for the map: of the district, of the province's districts, or of the provinces. */
async function takeOutline({
  generation,
  provinceIds,
  scope: { provinceId, districtId, fieldList },
}: FieldNote): Promise<void> {
  const only = fieldList !== undefined && provinceIds.length === 1 ? provinceIds[0] : provinceId;
  const of = query(districtId === undefined ? { provinceId: only } : { districtId });
  const path = of === "" ? "/api/v1/boundaries/provinces" : `/api/v1/boundaries/districts?${of}`;
  await keep("site", outlineKey(generation), (await ask<Boundaries>(path)).body);
}

/** The names of the records that a note lists. */
const keysOf = ({ generation, provinceIds, visits }: FieldNote): string[] => [
  outlineKey(generation),
  ...provinceIds.map((id) => sitesKey(generation, id)),
  ...visits.map(({ districtId }) => visitsKey(generation, districtId)),
];

/** Deletes the parts of a download that does not fit. What cannot be deleted now is deleted by the next download. */
async function forgetAll(keys: readonly string[]): Promise<void> {
  for (const key of keys) await forget("site", key).catch(() => {});
}

/** Deletes parts that no note lists. */
async function sweep(note: FieldNote | null): Promise<void> {
  const named = note && new Set([noteKey, ...keysOf(note)]);
  for (const { key } of await list("site")) if (!named?.has(key)) await forget("site", key);
}

/**
 * Downloads a scope, which replaces the one before. After an interruption, the same choice continues where it stopped.
 * If the device has no room, no part of it stays.
 *
 * @throws AskFailure or NotKept
 */
export async function prepareField(choice: FieldChoice, report: Report): Promise<void> {
  try {
    await take(choice, report);
  } catch (error) {
    if (error instanceof NotKept && begun) await forgetAll(keysOf(begun.note)).finally(() => (begun = undefined));
    throw error;
  }
}

async function take(choice: FieldChoice, report: Report): Promise<void> {
  const { scope, scopeName, provinceIds, districts } = choice;
  const key = JSON.stringify(choice);
  if (begun?.key !== key)
    begun = {
      key,
      isVersioned: false,
      note: {
        generation: newGeneration(),
        scope,
        scopeName,
        asOf: "",
        cursor: "",
        total: 0,
        provinceIds: [],
        visits: [],
        versions: [],
      },
    };
  const { note } = begun;
  const asked = new Set(note.provinceIds);
  let done = 0;
  const of = provinceIds.length + districts.length + 1;
  for (const provinceId of provinceIds) {
    report({ done, of, what: "Sites" });
    if (!asked.has(provinceId)) await takeSites(note, provinceId);
    done += 1;
  }
  for (const district of districts) {
    report({ done, of, what: `Last visits: ${district.district}` });
    if (!note.visits.some(({ districtId }) => districtId === district.districtId))
      note.visits.push((await takeVisits(note.generation, district, null))!);
    done += 1;
  }
  report({ done, of, what: "Map and versions" });
  await takeOutline(note);
  note.versions = (await ask<Version[]>("/api/v1/smartCareAssessmentVersion")).body!;
  await keep("site", noteKey, { ...note, choice } satisfies FieldNote & { choice: FieldChoice });
  begun = undefined;
  report({ done: of, of, what: "Done" });
  await sweep(note);
}

async function fetchRest(uuids: readonly string[]): Promise<SiteChange[]> {
  const fetched: SiteChange[] = [];
  for (const key of uuids) {
    const uuid = encodeURIComponent(key);
    fetched.push(
      { kind: "facilitySettings", key, record: (await ask<Settings>(`/api/v1/facility/settings/${uuid}`)).body! },
      {
        kind: "facilityConnectivity",
        key,
        record: (await ask<SiteList["connectivities"][number]>(`/api/v1/facilityConnectivity/${uuid}`)).body!,
      },
    );
  }
  return fetched;
}

async function refreshSites(note: FieldNote): Promise<void> {
  let parts: FieldParts = new Map(
    (
      await Promise.all(
        note.provinceIds.map(async (id) => [id, await read<SiteList>("site", sitesKey(note.generation, id))] as const),
      )
    ).flatMap(([id, part]) => (part ? [[id, part]] : [])),
  );
  for (let hasMore = true; hasMore;) {
    const asked = query({ since: note.cursor, kinds: "facility,facilitySettings,facilityConnectivity", limit: 500 });
    const { changes, cursor, ...rest } = (
      await ask<{ changes: SiteChange[]; cursor: string; hasMore: boolean }>(`/api/v1/changes?${asked}`)
    ).body!;
    let applied = applyChanges(parts, note.scope, changes, cursor);
    if (applied.incomplete.length > 0)
      applied = applyChanges(parts, note.scope, [...changes, ...(await fetchRest(applied.incomplete))], cursor);
    for (const [provinceId, part] of applied.changed) await keep("site", sitesKey(note.generation, provinceId), part);
    parts = new Map([...parts, ...applied.changed]);
    Object.assign(note, { cursor, total: applied.total, provinceIds: [...parts.keys()] });
    hasMore = rest.hasMore;
  }
}

/**
 * Updates the download: sites by the feed of changes, last visits if they have changed. If the server does not know the
 * cursor any more (its database was restored from a backup), and for a field list, everything is downloaded again.
 *
 * @throws AskFailure or NotKept
 */
export async function refreshField(report: Report = () => {}): Promise<void> {
  const note = (await readNote()) as (FieldNote & { choice: FieldChoice }) | null;
  if (!note) return;
  // The feed of changes does not say which sites are on a list.
  if (note.scope.fieldList !== undefined) return prepareField(note.choice, report);
  const asOf = now().toISOString();
  const of = note.visits.length + 1;
  report({ done: 0, of, what: "Sites" });
  try {
    await refreshSites(note);
  } catch (error) {
    if (!(error instanceof AskFailure) || (error.status !== 410 && error.status !== 422)) throw error;
    return prepareField(note.choice, report);
  }
  for (const [place, visits] of note.visits.entries()) {
    report({ done: place + 1, of, what: `Last visits: ${visits.district}` });
    const { districtId, district } = visits;
    note.visits[place] = (await takeVisits(note.generation, { districtId, district }, visits.etag)) ?? visits;
  }
  if (!(await readOutline(note))) await takeOutline(note);
  note.versions = (await ask<Version[]>("/api/v1/smartCareAssessmentVersion")).body!;
  await keep("site", noteKey, { ...note, asOf });
  report({ done: of, of, what: "Done" });
}

/** Deletes the download. */
export async function removeField(): Promise<void> {
  begun = undefined;
  await forget("site", noteKey);
  await sweep(null);
}

const quietMs = 60 * 60 * 1000;

/** Updates the download in the background if the last update was more than an hour ago. */
export async function refreshQuietly(): Promise<void> {
  if (!navigator.onLine) return;
  const note = await readNote();
  if (note && now().getTime() - Date.parse(note.asOf) > quietMs) await refreshField();
}
