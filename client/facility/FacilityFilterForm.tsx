import { useParams, useSearchParams } from "react-router-dom";
import { listParameterNames, parameterOf } from "../../gateway/facility/listFilter.rules.ts";
import { PlaceFilterSection } from "../reference/PlaceFilterSection.tsx";
import { ParameterField } from "../ui/filter/FilterFields.tsx";
import { noPartner, scopePartnerIn } from "./facilityFilter.ts";
import { isKnownValue, KnownValueField } from "./KnownValueField.tsx";
import { OftenAskedControls } from "./OftenAskedControls.tsx";

/** The filters of a list of facilities, in addition to its path. `hasOftenAsked`: also those that are often asked for. */
export function FacilityFilterForm({ hasOftenAsked }: { hasOftenAsked: boolean }) {
  const params = useParams();
  const [url] = useSearchParams();
  const names = listParameterNames.filter(
    (name) => parameterOf(name).kind !== "box" && !(name === "modes" && params["mode"] !== undefined),
  );
  return (
    <>
      {hasOftenAsked ? <OftenAskedControls /> : null}
      <PlaceFilterSection noPartner={noPartner} ofPath={params} ofScope={scopePartnerIn(url)} />
      {names.map((name) => {
        const [parameter, value] = [parameterOf(name), url.get(name) ?? ""];
        return isKnownValue(name) ? (
          <KnownValueField key={name} label={parameter.label} name={name} value={value} />
        ) : (
          <ParameterField key={name} name={name} parameter={parameter} value={value} />
        );
      })}
    </>
  );
}
