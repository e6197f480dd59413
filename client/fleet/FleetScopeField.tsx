import { HTMLSelect } from "@blueprintjs/core";
import { useSearchParams } from "react-router-dom";
import { useAddress } from "../ui/filter/listAddress.ts";
import { usePlaces } from "./usePlaces.ts";

/** The part of the country that the address names, in words. */
export function useFleetScopeWords(): string {
  const [url] = useSearchParams();
  const { provinces, partners } = usePlaces();
  const named = (of: typeof partners, name: string) => of.find(({ id }) => String(id) === url.get(name))?.name;
  return named(provinces, "provinceId") ?? named(partners, "implementingPartnerId") ?? "Whole country";
}

/** A choice of the part of the country: a province, a partner, or the whole country. */
export function FleetScopeField() {
  const [url] = useSearchParams();
  const change = useAddress();
  const { provinces, partners } = usePlaces();
  const choose = (value: string) => {
    const [name = "", id] = value.split(":");
    change({ provinceId: "", districtId: "", implementingPartnerId: "", page: "", [name]: id });
  };
  const options = [
    { value: "", label: "Whole country" },
    ...provinces.map(({ id, name }) => ({ value: `provinceId:${id}`, label: `Province: ${name}` })),
    ...partners.map(({ id, name }) => ({ value: `implementingPartnerId:${id}`, label: `Partner: ${name}` })),
  ];
  const value =
    ["provinceId", "implementingPartnerId"]
      .filter((name) => url.has(name))
      .map((name) => `${name}:${url.get(name)}`)[0] ?? "";
  return (
    <HTMLSelect
      aria-label="Part of the country"
      onChange={(event) => choose(event.currentTarget.value)}
      options={options}
      value={value}
    />
  );
}
