import { graphql } from "../gql/gql.ts";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query UsePlacesQuery {
    provinces(first: 100) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
    implementingPartners(first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

type Named = { id: number; name: string };
/** Provinces with their districts, and partners: their names, for choices and texts. */
export type Places = { provinces: (Named & { districts: Named[] })[]; partners: Named[] };

/** The places and partners of the country; empty until they are loaded. */
export function usePlaces(): Places {
  const { data } = useScreenQuery(query, {});
  return {
    provinces:
      data?.provinces.nodes.map(({ provinceId, name, districts }) => ({
        id: provinceId,
        name,
        districts: districts.nodes.map((district) => ({ id: district.districtId, name: district.name })),
      })) ?? [],
    partners:
      data?.implementingPartners.nodes.map((partner) => ({
        id: partner.implementingPartnerId,
        name: partner.implementingPartner,
      })) ?? [],
  };
}
