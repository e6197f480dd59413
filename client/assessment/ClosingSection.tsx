import { useFormState } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { TextAreaField } from "../ui/TextAreaField.tsx";
import { labels } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";

/** What remains to be said. A section as the others are: the form moves to the first wrong field in the order of their registration. */
export function ClosingSection({ form: { register, control } }: { form: UseFormReturn<FormValues> }) {
  const { errors } = useFormState({ control });
  return (
    <FormSection title="Closing Comments">
      <div className="is-wide">
        <TextAreaField label={labels.closingComments} field={register("closingComments")} error={errors.closingComments?.message} />
      </div>
    </FormSection>
  );
}
