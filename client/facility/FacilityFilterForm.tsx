import { Button } from "@blueprintjs/core";
import { useParams, useSearchParams } from "react-router-dom";
import { fiscalYearOf, yearStart } from "../../gateway/calendar/fiscal.rules.ts";
import { listParameterNames, type ListParameterName, parameterOf } from "../../gateway/facility/listFilter.rules.ts";
import { PlaceFilterSection } from "../reference/PlaceFilterSection.tsx";
import { useMay, useSystem } from "../shell/session/viewer.ts";
import { ParameterField } from "../ui/filter/FilterFields.tsx";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { daysAfter } from "../ui/text/dates.ts";
import { noPartner, scopePartnerIn } from "./facilityFilter.ts";
import { isKnownValue, KnownValueField } from "./KnownValueField.tsx";

/** Fetched with the form. */
const fieldListField = fetchedPart(() => import("../fieldList/FieldListField.tsx"));

const silentDays = 90;

/** Frequent questions as preset filters, so that nobody has to work out a day. */
const questionsAt = (today: string): { words: string; filters: Partial<Record<ListParameterName, string>> }[] => [
  { words: "Not assessed this fiscal year", filters: { assessedBefore: yearStart(fiscalYearOf(today)) } },
  // A site is silent for as many days as have passed since its last TDB was created.
  { words: `No data for ${silentDays} days`, filters: { silent: "yes", noTdbSince: daysAfter(today, 1 - silentDays) } },
];

/** The filters of a list of facilities, in addition to its path. */
export function FacilityFilterForm() {
  const params = useParams();
  const [url] = useSearchParams();
  const { today } = useSystem();
  const change = useListAddress();
  const mayAssess = useMay("editAssessments");
  const names = listParameterNames.filter(
    (name) =>
      parameterOf(name).kind !== "box" &&
      (name !== "fieldList" || mayAssess) &&
      !(name === "modes" && params["mode"] !== undefined),
  );
  return (
    <>
      <div aria-label="Often asked" className="row is-wide" role="group">
        {questionsAt(today).map(({ words, filters }) => (
          <Button key={words} onClick={() => change(filters)} text={words} />
        ))}
      </div>
      <PlaceFilterSection noPartner={noPartner} ofPath={params} ofScope={scopePartnerIn(url)} />
      {names.map((name) => {
        const [parameter, value] = [parameterOf(name), url.get(name) ?? ""];
        if (name === "fieldList")
          return (
            <Fetched key={name} part={fieldListField}>
              {({ FieldListField }) => <FieldListField label={parameter.label} value={value} />}
            </Fetched>
          );
        return isKnownValue(name) ? (
          <KnownValueField key={name} label={parameter.label} name={name} value={value} />
        ) : (
          <ParameterField key={name} name={name} parameter={parameter} value={value} />
        );
      })}
    </>
  );
}
