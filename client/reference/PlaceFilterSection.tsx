import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { FilterChoiceField } from "../ui/filter/FilterFields.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query PlaceFilterSectionQuery($provinceId: Int) {
    provinces(first: 100) { nodes { id provinceId name } }
    districts(provinceId: $provinceId, first: 100) { nodes { id districtId name province { id name } } }
    moreDistricts: districts(provinceId: $provinceId, first: 100, offset: 100) { nodes { id districtId name province { id name } } }
    implementingPartners(active: null, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

type PlaceFilterSectionProps = {
  /** The places and the partner in the list's path. */
  ofPath?: {
    provinceId?: string | undefined;
    districtId?: string | undefined;
    implementingPartnerId?: string | undefined;
  };
  /** The partner by which the scope of the address filters the list, if it does. Another choice replaces it. */
  ofScope?: string | undefined;
  /** The value of the partner for facilities without one, if the list has this choice. */
  noPartner?: string;
  /** The search parameter that holds the list's page. */
  pageName?: string;
};

/** Choices of province, district and partner, as search parameters of a list's address. */
export function PlaceFilterSection({ ofPath = {}, ofScope, noPartner, pageName }: PlaceFilterSectionProps) {
  const [url] = useSearchParams();
  const provinceId = ofPath.provinceId ?? url.get("provinceId") ?? "";
  const { data } = useScreenQuery(query, { provinceId: /^\d{1,9}$/.test(provinceId) ? Number(provinceId) : undefined });
  const districts = [...(data?.districts.nodes ?? []), ...(data?.moreDistricts.nodes ?? [])];
  const given = (name: string) => url.get(name) ?? "";
  return (
    <>
      {ofPath.provinceId || ofPath.districtId ? null : (
        <FilterChoiceField
          clears="districtId"
          label="Province"
          name="provinceId"
          options={(data?.provinces.nodes ?? []).map((one) => [String(one.provinceId), one.name])}
          pageName={pageName}
          value={given("provinceId")}
        />
      )}
      {ofPath.districtId ? null : (
        <FilterChoiceField
          label="District"
          name="districtId"
          options={districts.map((one) => [
            String(one.districtId),
            provinceId ? one.name : `${one.name} (${one.province.name})`,
          ])}
          pageName={pageName}
          value={given("districtId")}
        />
      )}
      {ofPath.implementingPartnerId ? null : (
        <FilterChoiceField
          clears={ofScope === undefined ? undefined : "partner"}
          label="Implementing partner"
          name="implementingPartnerId"
          options={[
            ...(noPartner ? [[noPartner, "None"] as const] : []),
            ...(data?.implementingPartners.nodes ?? []).map(
              (one) => [String(one.implementingPartnerId), one.implementingPartner] as const,
            ),
          ]}
          pageName={pageName}
          value={ofScope ?? given("implementingPartnerId")}
        />
      )}
    </>
  );
}
