import type { ReconciliationFindingKind, ReconciliationState, ReconciliationTrend } from "../gql/graphql.ts";

/** What comparisons and their findings are called on the screens. */

export const findingTitles: Record<ReconciliationFindingKind, string> = { DIFFERS: "Differing", ONLY_HERE: "Only here", ONLY_THERE: "Only there", UNCLEAR: "Unclear" };
export const findingKinds = Object.keys(findingTitles) as ReconciliationFindingKind[];

export const findingStateTitles: Record<ReconciliationState, string> = { OPEN: "Open", DONE: "Done", IGNORED: "Ignored" };
export const findingStates = Object.keys(findingStateTitles) as ReconciliationState[];

export const trendTitles: Record<ReconciliationTrend, string> = { NEW: "New", CHANGED: "Changed since", STILL: "As before", GONE: "Gone" };

const fieldTitles: Record<string, string> = {
  facilityName: "Name",
  district: "District",
  hmisCode: "HMIS code",
  oldHmisCode: "Former HMIS code",
  facilityOwner: "Owner",
  healthCenterType: "Health center type",
  facilityType: "Facility type",
  laboratoryLevel: "Laboratory level",
  catchmentPopulation: "Catchment population",
  operationStatus: "Operation status",
  position: "Position",
  latitude: "Position",
  implementingPartner: "Implementing partner",
  serviceAreas: "Service areas",
  closed: "Closed from",
  formerHmis: "Former HMIS code",
  dhis2: "DHIS2 UID",
  smartcare: "SmartCare GUID",
  ihris: "iHRIS id",
  elmis: "eLMIS id",
};
/** What a field is called; systems that administrators added have their own name. */
export const fieldTitle = (field: string): string => fieldTitles[field] ?? field;
