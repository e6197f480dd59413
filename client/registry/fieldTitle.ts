import { facilityFields } from "../../db/facilityFields.rules.ts";
import { builtInSystems } from "../../db/identifierSystems.rules.ts";

const titles: Record<string, string | undefined> = {
  facilityName: "Name",
  district: "District",
  position: "Position",
  uuid: "UUID",
  implementingPartner: "Implementing partner",
  serviceAreas: "Service areas",
  closed: "Closed from",
  ...Object.fromEntries(Object.entries(facilityFields).map(([field, { label }]) => [field, label])),
  ...Object.fromEntries(builtInSystems.map(({ system, name }) => [system, name])),
};

/** The name of a field of a list that is compared or imported; systems that administrators added have their own name. */
export const fieldTitle = (field: string): string => titles[field] ?? field;
