import { useSearchParams } from "react-router-dom";
import { credentialStates } from "../../gateway/machine/siteCredential.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { Chip } from "../ui/filter/Chips.tsx";
import { FilterChoiceField } from "../ui/filter/FilterFields.tsx";
import { useScreenQuery } from "../urql.ts";
import { placeValue, readCredentialFilter } from "./credentialFilter.ts";

const choicesQuery = graphql(`
  query CredentialFilterFormQuery {
    provinces(first: 100) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
    implementingPartners(active: null, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

type Options = (readonly [value: string, words: string])[];

/** The places and partners by which site credentials are filtered, in words. */
function useOptions(): { places: Options; partners: Options } {
  const { data } = useScreenQuery(choicesQuery, {});
  return {
    places: (data?.provinces.nodes ?? []).flatMap(({ provinceId, name, districts }) => [
      [placeValue({ provinceId }), `All of ${name}`] as const,
      ...districts.nodes.map((district) => [placeValue(district), `${district.name} (${name})`] as const),
    ]),
    partners: (data?.implementingPartners.nodes ?? []).map(
      ({ implementingPartnerId, implementingPartner }) => [String(implementingPartnerId), implementingPartner] as const,
    ),
  };
}

/** The filters of the list of site credentials that are set, without the search text. */
export function useCredentialChips(): Chip[] {
  const [url] = useSearchParams();
  const { places, partners } = useOptions();
  const { state, implementingPartnerId, ...place } = readCredentialFilter(url);
  const partner = String(implementingPartnerId ?? "");
  const wordsIn = (options: Options, value: string) => options.find(([one]) => one === value)?.[1] ?? value;
  return [
    ...(state ? [{ name: "state", words: `State: ${credentialStates[state]}` }] : []),
    ...(placeValue(place) ? [{ name: "place", words: wordsIn(places, placeValue(place)) }] : []),
    ...(partner ? [{ name: "partner", words: `Partner: ${wordsIn(partners, partner)}` }] : []),
  ];
}

/** The filters of the list of site credentials, in addition to its search text. */
export function CredentialFilterForm() {
  const [url] = useSearchParams();
  const { places, partners } = useOptions();
  const { state, implementingPartnerId, ...place } = readCredentialFilter(url);
  return (
    <>
      <FilterChoiceField label="State" name="state" options={Object.entries(credentialStates)} value={state ?? ""} />
      <FilterChoiceField label="Province or district" name="place" options={places} value={placeValue(place)} />
      <FilterChoiceField
        label="Partner"
        name="partner"
        options={partners}
        value={String(implementingPartnerId ?? "")}
      />
    </>
  );
}
