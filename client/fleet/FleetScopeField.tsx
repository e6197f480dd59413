import { HTMLSelect } from "@blueprintjs/core";
import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query FleetScopeFieldQuery {
    provinces(first: 100) { nodes { id provinceId name } }
    implementingPartners(first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

/** Which part of the country the figures are of: a province, a partner, or all of it. */
export function FleetScopeField() {
  const [url, setUrl] = useSearchParams();
  const { data } = useScreenQuery(query, {});
  const choose = (value: string) =>
    setUrl(
      (now) => {
        for (const name of ["provinceId", "districtId", "implementingPartnerId", "page"]) now.delete(name);
        const [name, id] = value.split(":");
        if (name && id) now.set(name, id);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  const options = [
    { value: "", label: "Whole country" },
    ...(data?.provinces.nodes.map(({ provinceId, name }) => ({ value: `provinceId:${provinceId}`, label: `Province: ${name}` })) ?? []),
    ...(data?.implementingPartners.nodes.map((one) => ({ value: `implementingPartnerId:${one.implementingPartnerId}`, label: `Partner: ${one.implementingPartner}` })) ?? []),
  ];
  const value = ["provinceId", "implementingPartnerId"].filter((name) => url.has(name)).map((name) => `${name}:${url.get(name)}`)[0] ?? "";
  return <HTMLSelect aria-label="Part of the country" onChange={(event) => choose(event.currentTarget.value)} options={options} value={value} />;
}
