import { useSearchParams } from "react-router-dom";
import { assessmentParameters } from "../../gateway/assessment/listFilter.rules.ts";
import { PlaceFilterSection } from "../reference/PlaceFilterSection.tsx";
import { ParameterField } from "../ui/filter/FilterFields.tsx";
import { FilterPanel } from "../ui/filter/FilterPanel.tsx";
import type { FilterFormOpening } from "../ui/filter/ListBar.tsx";

/** The filters of a list of assessments. */
export function AssessmentFilterForm(opening: FilterFormOpening) {
  const [url] = useSearchParams();
  return (
    <FilterPanel {...opening}>
      <PlaceFilterSection />
      {Object.entries(assessmentParameters).map(([name, parameter]) => (
        <ParameterField key={name} name={name} parameter={parameter} value={url.get(name) ?? ""} />
      ))}
    </FilterPanel>
  );
}
