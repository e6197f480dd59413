import { counted } from "../ui/text/counted.ts";
import type { Places } from "./usePlaces.ts";

type Scope = {
  channel: string;
  provinceIds: number[];
  districtIds: number[];
  implementingPartnerIds: number[];
  facilities: number | null;
  percentage: number;
};

/** More places than these are counted instead of named. */
const mostNamed = 3;

/** Places by name, or their number if there are many, or if one does not exist any more and so has no name. */
function namesOf(ids: readonly number[], known: readonly { id: number; name: string }[], one: string): string {
  const named = ids.map((id) => known.find((place) => place.id === id)?.name);
  return ids.length <= mostNamed && named.every((name) => name !== undefined)
    ? named.join(", ")
    : counted(ids.length, one);
}

/** The scope of a rollout in words. */
export function scopeIn(
  { channel, provinceIds, districtIds, implementingPartnerIds, facilities, percentage }: Scope,
  { provinces, partners }: Places,
): string {
  const parts = [
    percentage < 100 ? `${percentage} %` : "",
    facilities === null ? "" : counted(facilities, "named facility", "named facilities"),
    provinceIds.length > 0 ? namesOf(provinceIds, provinces, "province") : "",
    districtIds.length > 0
      ? namesOf(
          districtIds,
          provinces.flatMap(({ districts }) => districts),
          "district",
        )
      : "",
    implementingPartnerIds.length > 0 ? namesOf(implementingPartnerIds, partners, "partner") : "",
  ].filter(Boolean);
  return `${parts.join(", ") || "all sites"}${channel === "PILOT" ? ", pilot" : ""}`;
}
