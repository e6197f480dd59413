import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { formatDate } from "../ui/text/dates.ts";

/** What the registry's places and partners are called. */
export const placeNames: Record<PlaceKind, { one: string; many: string; title: string; titles: string }> = {
  province: { one: "province", many: "provinces", title: "Province", titles: "Provinces" },
  district: { one: "district", many: "districts", title: "District", titles: "Districts" },
  implementingPartner: { one: "partner", many: "partners", title: "Implementing partner", titles: "Partners" },
};

/** Of which parts each consists, and the field of the interface that names them when it is split. */
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
