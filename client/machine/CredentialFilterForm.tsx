import { useSearchParams } from "react-router-dom";
import { credentialStates } from "../../gateway/machine/siteCredential.rules.ts";
import { graphql } from "../gql/gql.ts";
import { FilterChoice, FilterForm } from "../ui/filter/FilterForm.tsx";
import { useScreenQuery } from "../urql.ts";
import { placeValue, readCredentialFilter } from "./credentialFilter.ts";

const choicesQuery = graphql(`
  query CredentialFilterFormQuery {
    provinces(first: 100) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
    implementingPartners(active: null, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

/** The filter of the list of site credentials. */
export function CredentialFilterForm() {
  const [url] = useSearchParams();
  const { data } = useScreenQuery(choicesQuery, {});
  const { state, implementingPartnerId, ...place } = readCredentialFilter(url);
  const asked = data ? "read" : "reading";
  return (
    <FilterForm className="grid" label="Facility">
      <FilterChoice
        all="All"
        label="State"
        name="state"
        options={Object.entries(credentialStates)}
        value={state ?? ""}
      />
      <FilterChoice
        all="All"
        key={`place ${asked}`}
        label="Province or district"
        name="place"
        value={placeValue(place)}
      >
        {data?.provinces.nodes.map(({ id, provinceId, name, districts }) => (
          <optgroup key={id} label={name}>
            <option value={placeValue({ provinceId })}>{`All of ${name}`}</option>
            {districts.nodes.map((district) => (
              <option key={district.id} value={placeValue(district)}>
                {district.name}
              </option>
            ))}
          </optgroup>
        ))}
      </FilterChoice>
      <FilterChoice
        all="All"
        key={`partner ${asked}`}
        label="Partner"
        name="partner"
        options={data?.implementingPartners.nodes.map((partner) => [
          partner.implementingPartnerId,
          partner.implementingPartner,
        ])}
        value={implementingPartnerId ?? ""}
      />
    </FilterForm>
  );
}
