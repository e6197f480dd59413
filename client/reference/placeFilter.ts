import { graphql } from "../gql/gql.ts";
import type { Chip } from "../ui/filter/Chips.tsx";
import { type Filters, isId } from "../ui/filter/wrongFilter.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query PlaceFilterQuery(
    $provinceId: Int!, $inProvince: Boolean!, $districtId: Int!, $inDistrict: Boolean!, $implementingPartnerId: Int!, $ofPartner: Boolean!
  ) {
    province(provinceId: $provinceId) @include(if: $inProvince) { id name }
    district(districtId: $districtId) @include(if: $inDistrict) { id name }
    implementingPartner(implementingPartnerId: $implementingPartnerId) @include(if: $ofPartner) { id implementingPartner }
  }
`);

/** The search parameters that filter a list by place and partner, with their labels. */
const labels = { provinceId: "Province", districtId: "District", implementingPartnerId: "Partner" };
type PlaceName = keyof typeof labels;
const names = Object.keys(labels) as PlaceName[];

/** The same, each with what its value is. */
export const placeFilters: Filters = { provinceId: isId, districtId: isId, implementingPartnerId: isId };

/** The place and partner filters in a list's address. */
export const placesIn = (url: URLSearchParams) => ({
  provinceId: idInPath(url.get("provinceId")),
  districtId: idInPath(url.get("districtId")),
  implementingPartnerId: idInPath(url.get("implementingPartnerId")),
});

/** The first of them with an invalid id. */
export function wrongPlaceIn(url: URLSearchParams): { name: string; text: string } | undefined {
  const wrong = names.find((name) => url.has(name) && !isId(url.get(name)!));
  return wrong && { name: wrong, text: url.get(wrong)! };
}

/** The same in words. A place that does not exist any more is named by its number. */
export function usePlaceChips(url: URLSearchParams): Chip[] {
  const { provinceId, districtId, implementingPartnerId } = placesIn(url);
  const { data } = useScreenQuery(
    query,
    {
      provinceId: provinceId ?? 0,
      inProvince: provinceId !== undefined,
      districtId: districtId ?? 0,
      inDistrict: districtId !== undefined,
      implementingPartnerId: implementingPartnerId ?? 0,
      ofPartner: implementingPartnerId !== undefined,
    },
    names.every((name) => !url.has(name)),
  );
  const named = {
    provinceId: data?.province?.name,
    districtId: data?.district?.name,
    implementingPartnerId: data?.implementingPartner?.implementingPartner,
  };
  return names.flatMap((name) =>
    url.has(name) ? [{ name, words: `${labels[name]}: ${named[name] ?? url.get(name)}` }] : [],
  );
}

/** The subject of a failure message: the narrowest place or partner of the filter, or the list. */
export const whatOfPlaces = (url: URLSearchParams, list: string): string =>
  url.has("districtId")
    ? "district"
    : url.has("provinceId")
      ? "province"
      : url.has("implementingPartnerId")
        ? "implementing partner"
        : list;
