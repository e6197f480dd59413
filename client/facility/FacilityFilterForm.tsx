import { useParams, useSearchParams } from "react-router-dom";
import { listParameterNames, parameterOf } from "../../gateway/facility/listFilter.rules.ts";
import { may } from "../../gateway/access/access.rules.ts";
import { PlaceFilterSection } from "../reference/PlaceFilterSection.tsx";
import { useViewer } from "../shell/session/viewer.ts";
import { ParameterField } from "../ui/filter/FilterFields.tsx";
import { FilterPanel } from "../ui/filter/FilterPanel.tsx";
import type { FilterFormOpening } from "../ui/filter/ListBar.tsx";
import { noPartner, scopePartnerIn } from "./facilityFilter.ts";

/** What a list of facilities may be narrowed by, beside what its path says. */
export function FacilityFilterForm(opening: FilterFormOpening) {
  const params = useParams();
  const [url] = useSearchParams();
  const { privileges } = useViewer();
  const names = listParameterNames.filter((name) => {
    const { needs } = parameterOf(name);
    return (!needs || may(privileges, needs)) && !(name === "modes" && params["mode"] !== undefined);
  });
  return (
    <FilterPanel {...opening}>
      <PlaceFilterSection noPartner={noPartner} ofPath={params} ofScope={scopePartnerIn(url)} />
      {names.map((name) => (
        <ParameterField key={name} name={name} parameter={parameterOf(name)} value={url.get(name) ?? ""} />
      ))}
    </FilterPanel>
  );
}
