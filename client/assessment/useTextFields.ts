import { createElement } from "react";
import { useFormState, useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { areaTextLimits, formOf, textLimits } from "../../gateway/assessment/fields.rules.ts";
import type { TextName } from "../../gateway/assessment/fields.rules.ts";
import { formatDate } from "../ui/text/dates.ts";
import { LengthCount } from "../ui/field/LengthCount.tsx";
import { labels } from "./fieldLabels.ts";
import type { FormValues } from "./formValues.ts";

type AreaTextName = keyof typeof areaTextLimits;

/**
 * The props of each text field: its label, its error, whether it is from the last visit, and how many characters are
 * left.
 */
export function useTextFields({ control, register }: UseFormReturn<FormValues>) {
  const { errors } = useFormState({ control });
  const carried = useWatch({ control, name: "carried" });
  const markOf = (field: string) => (carried?.fields.includes(field) ? `from ${formatDate(carried.date)}` : undefined);
  const countOf = (name: TextName | `serviceAreaAssessments.${number}.${AreaTextName}`, limit: number) =>
    createElement(LengthCount<FormValues>, { control, name, limit });
  const labelledText = (name: TextName, label: string) => ({
    label,
    field: register(name, name.endsWith("Phone") ? { setValueAs: formOf(name) } : {}),
    error: errors[name]?.message,
    mark: markOf(name),
    count: countOf(name, textLimits[name]),
  });
  return {
    errors,
    markOf,
    labelledText,
    text: (name: TextName & keyof typeof labels) => labelledText(name, labels[name]),
    areaText: (place: number, serviceAreaId: number, part: AreaTextName) => {
      const name = `serviceAreaAssessments.${place}.${part}` as const;
      return {
        label: labels[part],
        field: register(name),
        error: errors.serviceAreaAssessments?.[place]?.[part]?.message,
        mark: markOf(`serviceAreaAssessments.${serviceAreaId}.${part}`),
        count: countOf(name, areaTextLimits[part]),
      };
    },
  };
}
