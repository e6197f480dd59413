import { useParams, useSearchParams } from "react-router-dom";
import { listParameterNames, parameterOf } from "../../gateway/facility/listFilter.rules.ts";
import { PlaceFilterSection } from "../reference/PlaceFilterSection.tsx";
import { useMay } from "../shell/session/viewer.ts";
import { ParameterField } from "../ui/filter/FilterFields.tsx";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { noPartner, scopePartnerIn } from "./facilityFilter.ts";
import { isKnownValue, KnownValueField } from "./KnownValueField.tsx";
import { NearField } from "./NearField.tsx";
import { OftenAskedControls } from "./OftenAskedControls.tsx";

/** Fetched with the form. */
const fieldListField = fetchedPart(() => import("../fieldList/FieldListField.tsx"));

/** The filters of a list of facilities, in addition to its path. `hasOftenAsked`: also those that are often asked for. */
export function FacilityFilterForm({ hasOftenAsked }: { hasOftenAsked: boolean }) {
  const params = useParams();
  const [url] = useSearchParams();
  const mayAssess = useMay("editAssessments");
  const names = listParameterNames.filter(
    (name) =>
      parameterOf(name).kind !== "box" &&
      (name !== "fieldList" || mayAssess) &&
      !(name === "modes" && params["mode"] !== undefined),
  );
  return (
    <>
      {hasOftenAsked ? <OftenAskedControls /> : null}
      <PlaceFilterSection noPartner={noPartner} ofPath={params} ofScope={scopePartnerIn(url)} />
      {names.map((name) => {
        const [parameter, value] = [parameterOf(name), url.get(name) ?? ""];
        if (name === "fieldList")
          return (
            <Fetched key={name} part={fieldListField}>
              {({ FieldListField }) => <FieldListField label={parameter.label} value={value} />}
            </Fetched>
          );
        if (name === "near") return <NearField key={name} name={url.get("nearName") ?? undefined} value={value} />;
        return isKnownValue(name) ? (
          <KnownValueField key={name} label={parameter.label} name={name} value={value} />
        ) : (
          <ParameterField key={name} name={name} parameter={parameter} value={value} />
        );
      })}
    </>
  );
}
