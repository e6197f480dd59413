import { facilityFields, type FieldName } from "../../../db/facility/facilityFields.rules.ts";
import { type Mode, modeLabels } from "../../../gateway/facility/mode.rules.ts";
import { labelOf } from "../../assessment/fieldLabels.ts";
import { formatNumber } from "../../ui/text/counted.ts";
import { formatDate } from "../../ui/text/dates.ts";

/** How a facility's timeline is told in words. */

/** The kinds as the filter and the address name them. */
export const kindWords = {
  visit: "Visits",
  upgrade: "Upgrades",
  tdb: "TDBs",
  note: "Notes",
  action: "Actions",
  configuration: "Configuration",
  registry: "Registry",
} as const;

const events: Readonly<Record<string, string>> = {
  firstVisit: "First visit",
  visit: "Visit",
  correction: "Visit corrected",
  upgrade: "Version changed",
  firstTdb: "First TDB",
  tdb: "TDB",
  note: "Note",
  agreed: "Action agreed",
  done: "Action done",
  dropped: "Action dropped",
  "facility.settings": "Settings changed",
  "facility.connectivity": "Connectivity changed",
  "facility.add": "Added to the registry",
  "facility.change": "Changed in the registry",
  "facility.close": "Closed",
  "facility.reopen": "Opened again",
  "facility.identifiers": "Identifiers changed",
  "facility.merge": "Another facility was merged into it",
  "facility.unmerge": "A merge was undone",
  "import.add": "Added by an import",
  "import.change": "Changed by an import",
};
export const eventWords = (event: string): string => events[event] ?? event;

const labels: Readonly<Record<string, string>> = {
  smartCareFunctional: "Works",
  power: "Power",
  functionalityStatusMode: "Mode",
  totalPatients: "Clients",
  responsible: "Responsible",
  dueDay: "Due",
  reason: "Reason",
  snoozedUntil: "Snoozed until",
  facilityName: "Name",
  district: "District",
  province: "Province",
  implementingPartner: "Implementing partner",
  implementingPartnerId: "Implementing partner",
  serviceAreas: "Service areas",
  identifiers: "Identifiers",
  present: "Connectivity present",
  type: "Connectivity type",
  details: "Connectivity details",
  connectivityPresent: "Connectivity present",
  connectivityType: "Connectivity type",
  connectivityDetails: "Connectivity details",
  mobileCoverage: "Mobile coverage",
  mobileProvider: "Mobile provider",
  closedOn: "Closed on",
  closeReason: "Reason",
};

const fieldLabel = (field: string): string =>
  labels[field] ??
  (Object.hasOwn(facilityFields, field)
    ? facilityFields[field as FieldName].label
    : labelOf(field, () => "Service area"));

function valueWords(field: string, value: string | null | undefined): string {
  if (value == null) return "not recorded";
  if (value === "true") return "yes";
  if (value === "false") return "no";
  if (field === "functionalityStatusMode" && Object.hasOwn(modeLabels, value)) return modeLabels[value as Mode];
  if (field === "totalPatients" || field === "catchmentPopulation") return formatNumber(Number(value));
  return formatDate(value) || value;
}

type Change = { field: string; from?: string | null | undefined; to?: string | null | undefined };
/** The most differences of one line. */
const mostShown = 3;

/** What differs, on one line: from what to what, or only what is where nothing was before. */
export function changesLine({ changes, compared }: { changes: readonly Change[]; compared: boolean }): string {
  const words = changes.map(({ field, from, to }) =>
    compared
      ? `${fieldLabel(field)}: ${valueWords(field, from)} → ${valueWords(field, to)}`
      : `${fieldLabel(field)}: ${valueWords(field, to)}`,
  );
  const more = words.length - mostShown;
  return [...words.slice(0, mostShown), ...(more > 0 ? [`and ${more} more`] : [])].join(" · ");
}
