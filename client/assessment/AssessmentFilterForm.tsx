import { useSearchParams } from "react-router-dom";
import { assessmentParameters } from "../../gateway/assessment/listFilter.rules.ts";
import { PlaceFilterSection } from "../reference/PlaceFilterSection.tsx";
import { ParameterField } from "../ui/filter/FilterFields.tsx";

/** The filters of a list of assessments. */
export function AssessmentFilterForm() {
  const [url] = useSearchParams();
  return (
    <>
      <PlaceFilterSection />
      {Object.entries(assessmentParameters).map(([name, parameter]) => (
        <ParameterField key={name} name={name} parameter={parameter} value={url.get(name) ?? ""} />
      ))}
    </>
  );
}
