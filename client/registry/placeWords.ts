import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { formatDate } from "../ui/text/dates.ts";

/** The words for the registry's places and partners. */
export const placeNames: Record<PlaceKind, { one: string; many: string; title: string; titles: string }> = {
  province: { one: "province", many: "provinces", title: "Province", titles: "Provinces" },
  district: { one: "district", many: "districts", title: "District", titles: "Districts" },
  implementingPartner: { one: "partner", many: "partners", title: "Implementing partner", titles: "Partners" },
};

/** The parts of each kind, and the field of the split in which they are named. */
export const partNames: Record<PlaceKind, { field: "districtIds" | "facilityUuids"; one: string; many: string }> = {
  province: { field: "districtIds", one: "district", many: "districts" },
  district: { field: "facilityUuids", one: "facility", many: "facilities" },
  implementingPartner: { field: "facilityUuids", one: "facility", many: "facilities" },
};

/** Whether it is open, in words. */
export function stateOf({ isOpen, closedOn }: { isOpen: boolean; closedOn: string | null }): string {
  if (isOpen) return "Open";
  return closedOn === null ? "Closed" : `Closed since ${formatDate(closedOn)}`;
}
