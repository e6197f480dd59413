import { graphql } from "../gql/gql.ts";
import { useScreenQuery } from "../urql.ts";
import { allPartners, hasPartnerFilter, type OverviewScope, scopeTitle } from "./scope.ts";

const query = graphql(`
  query UseScopeNamesQuery(
    $provinceId: Int!, $districtId: Int!, $implementingPartnerId: Int!
    $ofProvince: Boolean!, $ofDistrict: Boolean!, $ofPartner: Boolean!
  ) {
    province(provinceId: $provinceId) @include(if: $ofProvince) {
      id provinceId name
      districts(first: 100) { nodes { id districtId name } }
    }
    district(districtId: $districtId) @include(if: $ofDistrict) {
      id name
      province { id provinceId name districts(first: 100) { nodes { id districtId name } } }
    }
    implementingPartner(implementingPartnerId: $implementingPartnerId) @include(if: $ofPartner) { id implementingPartner }
    implementingPartners(active: true, first: 100) { nodes { id implementingPartnerId implementingPartner } }
    provinces(first: 100) { nodes { id provinceId name } }
  }
`);

/**
 * The names for the scope bar, prints and pictures: the scope's own, and those of the places and partners to choose
 * from.
 */
export function useScopeNames(scope: OverviewScope, partner: number) {
  const { data } = useScreenQuery(query, {
    provinceId: scope.provinceId ?? 0,
    districtId: scope.districtId ?? 0,
    implementingPartnerId: scope.implementingPartnerId ?? 0,
    ofProvince: scope.provinceId !== undefined && scope.districtId === undefined,
    ofDistrict: scope.districtId !== undefined,
    ofPartner: scope.implementingPartnerId !== undefined,
  });
  const partners = data?.implementingPartners?.nodes ?? [];
  const province = data?.province ?? data?.district?.province;
  const own = data?.district?.name ?? data?.province?.name ?? data?.implementingPartner?.implementingPartner;
  const chosen = partners.find(({ implementingPartnerId }) => implementingPartnerId === partner)?.implementingPartner;
  const partnerWords = partner === allPartners ? "All IPs" : (chosen ?? `IP ${partner}`);
  return {
    partners,
    provinces: data?.provinces?.nodes ?? [],
    /** The scope's province, with its districts. */
    province: province && { provinceId: province.provinceId, districts: province.districts.nodes },
    place: scopeTitle(scope, own),
    /** The scope's name alone, without what it is. */
    name: own,
    /** The partner that filters the figures, in words; undefined if the scope cannot be filtered by partner. */
    partnerWords: hasPartnerFilter(scope) ? partnerWords : undefined,
  };
}
