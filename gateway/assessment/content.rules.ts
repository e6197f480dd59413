import type { Mode } from "../facility/mode.rules.ts";
import { answerNames, areaTextLimits, positionNames, textLimits } from "./fields.rules.ts";
import type { AnswerName, TextName } from "./fields.rules.ts";

/**
 * The content of an assessment, without author and time: how it is completed, compared and reverted to an earlier
 * version.
 */

export type AreaContent = {
  serviceAreaId: number;
  libraryVersion: string | null;
  databaseVersion: string | null;
  smartCareFunctional: boolean | null;
  additionalNotes: string | null;
};
export type Values = Record<TextName, string | null> &
  Record<AnswerName, boolean | null> & {
    functionalityStatusMode: Mode;
    dateOfLastUpgrade: string;
    numberOfStaffTrainedInSmartCare: number;
    latitude: number | null;
    longitude: number | null;
    positionAccuracy: number | null;
    positionAt: string | null;
  };
export type Content = Values & { serviceAreaAssessments: AreaContent[] };

type Value = string | number | boolean | null;
/** One field that changed: its path (for a service area with the area's id) and both values. */
export type Change = { field: string; from: Value; to: Value };

export const valueNames = [
  ...answerNames,
  ...(Object.keys(textLimits) as TextName[]),
  "functionalityStatusMode",
  "dateOfLastUpgrade",
  "numberOfStaffTrainedInSmartCare",
  ...positionNames,
] as const satisfies (keyof Values)[];
/** Not `Values`, so that a value that is not named above does not compile: it would not be stored. */
type Named = Pick<Values, (typeof valueNames)[number]>;
const areaNames = ["smartCareFunctional", ...(Object.keys(areaTextLimits) as (keyof typeof areaTextLimits)[])] as const;

/** Equipment that is absent does not work. Whether it works is not known while nobody knows that it is there. */
function working(present: boolean | null, answer: boolean | null): boolean | null {
  if (present === null) return answer === true ? null : answer;
  return present ? answer : false;
}

const settled = <Given extends Values>(values: Given): Given => ({
  ...values,
  primaryPowerWorking: working(values.primaryPower, values.primaryPowerWorking),
  backupPowerWorking: working(values.backupPower, values.backupPowerWorking),
});

const pick = <Name extends string>(
  names: readonly Name[],
  given: Partial<Record<Name, unknown>>,
  base: Partial<Record<Name, unknown>>,
) => Object.fromEntries(names.map((name) => [name, given[name] === undefined ? (base[name] ?? null) : given[name]]));

type Given = Partial<Values> & { serviceAreaAssessments?: (Partial<AreaContent> & { serviceAreaId: number })[] | null };

/** A new assessment's content. A field that was not given is null. */
export const contentOf = (given: Given): Content =>
  settled({
    ...(pick(valueNames, given, {}) as Named),
    serviceAreaAssessments: (given.serviceAreaAssessments ?? [])
      .map((area) => ({ ...pick(areaNames, area, {}), serviceAreaId: area.serviceAreaId }) as AreaContent)
      .toSorted((a, b) => a.serviceAreaId - b.serviceAreaId),
  });

/** The content after changes. Entries for service areas that it does not have are ignored. */
export const changed = (content: Content, changes: Given): Content =>
  settled({
    ...(pick(valueNames, changes, content) as Named),
    serviceAreaAssessments: content.serviceAreaAssessments.map((area) => {
      const change = changes.serviceAreaAssessments?.find(({ serviceAreaId }) => serviceAreaId === area.serviceAreaId);
      return { ...(pick(areaNames, change ?? {}, area) as AreaContent), serviceAreaId: area.serviceAreaId };
    }),
  });

/** Every value by its path. */
function flat(content: Content): Map<string, Value> {
  const values = new Map<string, Value>(valueNames.map((name) => [name, content[name]]));
  for (const area of content.serviceAreaAssessments)
    for (const name of areaNames) values.set(`serviceAreaAssessments.${area.serviceAreaId}.${name}`, area[name]);
  return values;
}

/** The fields that differ between two versions of an assessment. */
export function changesBetween(before: Content, after: Content): Change[] {
  const [old, present] = [flat(before), flat(after)];
  return [...new Set([...old.keys(), ...present.keys()])]
    .map((field) => ({ field, from: old.get(field) ?? null, to: present.get(field) ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** Reverts changes, the last one first, and returns the earlier content. */
export function before(content: Content, changes: readonly Change[]): Content {
  const values = flat(content);
  for (const { field, from } of changes) values.set(field, from);
  return {
    ...(Object.fromEntries(valueNames.map((name) => [name, values.get(name)])) as Named),
    serviceAreaAssessments: content.serviceAreaAssessments.map(
      ({ serviceAreaId }) =>
        ({
          serviceAreaId,
          ...Object.fromEntries(
            areaNames.map((name) => [name, values.get(`serviceAreaAssessments.${serviceAreaId}.${name}`)]),
          ),
        }) as AreaContent,
    ),
  };
}
