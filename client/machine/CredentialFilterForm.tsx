import { FormGroup, HTMLSelect, InputGroup } from "@blueprintjs/core";
import { SearchIcon } from "@blueprintjs/icons";
import { useSearchParams } from "react-router-dom";
import { credentialStates, stateNames } from "../../gateway/machine/siteCredential.rules.ts";
import { useUrlText } from "../ui/list/urlText.ts";
import { graphql } from "../gql/gql.ts";
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
  const [url, setUrl] = useSearchParams();
  const { typed, type, commit } = useUrlText("search");
  const { data } = useScreenQuery(choicesQuery, {});
  const { state, implementingPartnerId, ...place } = readCredentialFilter(url);
  const choose = (name: string, value: string) =>
    setUrl(
      (now) => {
        now.delete("page");
        if (value) now.set(name, value);
        else now.delete(name);
        return now;
      },
      { replace: true },
    );
  return (
    <form
      className="machine-fields"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        commit(typed);
      }}
    >
      <FormGroup label="Facility" labelFor="credentials-search">
        <InputGroup
          autoComplete="off"
          id="credentials-search"
          leftElement={<SearchIcon />}
          maxLength={128}
          onChange={(event) => type(event.currentTarget.value)}
          spellCheck={false}
          value={typed}
        />
      </FormGroup>
      <FormGroup label="State" labelFor="credentials-state">
        <HTMLSelect fill id="credentials-state" onChange={(event) => choose("state", event.currentTarget.value)} value={state ?? ""}>
          <option value="">All</option>
          {stateNames.map((name) => (
            <option key={name} value={name}>
              {credentialStates[name]}
            </option>
          ))}
        </HTMLSelect>
      </FormGroup>
      <FormGroup label="Province or district" labelFor="credentials-place">
        <HTMLSelect fill id="credentials-place" key={data ? "read" : "reading"} onChange={(event) => choose("place", event.currentTarget.value)} value={placeValue(place)}>
          <option value="">All</option>
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
        </HTMLSelect>
      </FormGroup>
      <FormGroup label="Partner" labelFor="credentials-partner">
        <HTMLSelect
          fill
          id="credentials-partner"
          key={data ? "read" : "reading"}
          onChange={(event) => choose("partner", event.currentTarget.value)}
          value={implementingPartnerId ?? ""}
        >
          <option value="">All</option>
          {data?.implementingPartners.nodes.map((partner) => (
            <option key={partner.id} value={partner.implementingPartnerId}>
              {partner.implementingPartner}
            </option>
          ))}
        </HTMLSelect>
      </FormGroup>
    </form>
  );
}
