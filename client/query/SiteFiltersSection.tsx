import { useState } from "react";
import { ChoiceField } from "../dash/ChoiceField.tsx";
import { isKnownValue, KnownValueField } from "../facility/KnownValueField.tsx";
import { NearField } from "../facility/NearField.tsx";
import { ParameterField } from "../ui/filter/FilterFields.tsx";
import type { Question } from "./question.ts";
import { filters } from "./siteFilters.ts";
import { useNeeds } from "./useNeeds.ts";

/** The filters of a question, each a field once it was chosen. An empty field filters nothing. */
export function SiteFiltersSection({ question: { subject, filters: texts, nearName } }: { question: Question }) {
  const isOffered = useNeeds();
  const [added, setAdded] = useState<readonly string[]>([]);
  const offered = Object.entries(filters[subject]).filter(([, filter]) => isOffered(filter));
  const shown = offered.filter(
    ([name]) => name in texts || added.includes(name) || (name === "near" && nearName !== undefined),
  );
  const others = offered.filter((one) => !shown.includes(one));
  return (
    <>
      {shown.map(([name, parameter]) => {
        const value = texts[name] ?? "";
        if (name === "near") return <NearField key={name} name={nearName} value={value} />;
        return isKnownValue(name) ? (
          <KnownValueField key={name} label={parameter.label} name={name} value={value} />
        ) : (
          <ParameterField key={name} name={name} parameter={parameter} value={value} />
        );
      })}
      {others.length > 0 ? (
        <ChoiceField
          label="Only where"
          onChange={(name) => setAdded([...added, name])}
          options={[
            { value: "", label: "Choose what to ask for" },
            ...others.map(([value, { label }]) => ({ value, label })),
          ]}
          value=""
        />
      ) : null}
    </>
  );
}
