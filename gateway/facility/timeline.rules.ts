import { type TimelineChange, type TimelineKind, timelineKinds } from "../../db/facility/timeline.rules.ts";
import type { Capability } from "../access/access.rules.ts";

/** What a facility's timeline tells to whom, and how two states of a facility differ. */

export { type TimelineChange, type TimelineKind, timelineKinds };

/** The right for each kind; null: for every signed-in person. */
export const timelineNeeds: Record<TimelineKind, Capability | null> = {
  visit: null,
  upgrade: null,
  tdb: "viewTdbs",
  note: "viewAssessments",
  action: "viewAssessments",
  configuration: "viewAudit",
  registry: "viewAudit",
};

type Values = Readonly<Record<string, unknown>>;

/** Values that are no facts of a facility, or that others beside them say in words. */
const unsaid = new Set([
  "facilityUuid",
  "provinceId",
  "districtId",
  "implementingPartnerActive",
  "connectivityTypeId",
  "mobileProviderId",
]);

type Identifier = { system: string; value: string; until?: string | null };
const identifierText = ({ system, value, until }: Identifier): string =>
  `${system} ${value}${until ? ` until ${until}` : ""}`;

/** The values of a state as the audit has it: of the registry, a facility with its identifiers. */
function flat(values: Values | null): Values {
  const { facility, identifiers, ...others } = values ?? {};
  // The mode of a facility comes from its visits.
  const { functionalityStatusMode: _mode, ...registered } = (facility ?? {}) as Values;
  const own: Values = { ...registered, ...others };
  const isNamed = "implementingPartner" in own;
  const facts = Object.entries(own).filter(
    ([name]) => !unsaid.has(name) && !(isNamed && name === "implementingPartnerId"),
  );
  const listed = Array.isArray(identifiers) ? { identifiers: (identifiers as Identifier[]).map(identifierText) } : {};
  return { ...Object.fromEntries(facts), ...listed };
}

function textOf(value: unknown): string | null {
  if (value == null || value === "") return null;
  if (Array.isArray(value)) return value.join(", ") || null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The values that differ between two states, as texts. */
export function differencesOf(old: Values | null, present: Values | null): TimelineChange[] {
  const [before, after] = [flat(old), flat(present)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, from: textOf(before[field]), to: textOf(after[field]) }))
    .filter(({ from, to }) => from !== to);
}
