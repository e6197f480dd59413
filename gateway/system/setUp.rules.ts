/** What a country needs before its first visits. */
export type SetUpStepName =
  | "places"
  | "outlines"
  | "facilities"
  | "partners"
  | "versions"
  | "serviceAreas"
  | "people"
  | "fieldLists";

/** `of`: how many there should be; null where any number will do. */
export type SetUpStep = { step: SetUpStepName; count: number; of: number | null; isDone: boolean };

type Counts = Record<Exclude<SetUpStepName, "partners"> | "linked", number>;

/**
 * The steps of a country with these counts. Places and people that support sites may come one by one later, so that
 * partners count as linked once most open facilities have theirs, and people once there is a second account.
 */
export function stepsOf(counts: Counts): SetUpStep[] {
  const any = (step: SetUpStepName, count: number): SetUpStep => ({ step, count, of: null, isDone: count > 0 });
  const { places, outlines, facilities, linked, versions, serviceAreas, people, fieldLists } = counts;
  return [
    any("places", places),
    { step: "outlines", count: outlines, of: places, isDone: places > 0 && outlines >= places },
    any("facilities", facilities),
    { step: "partners", count: linked, of: facilities, isDone: linked > facilities / 2 },
    any("versions", versions),
    any("serviceAreas", serviceAreas),
    { ...any("people", people), isDone: people > 1 },
    any("fieldLists", fieldLists),
  ];
}
