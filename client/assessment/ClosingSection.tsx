import type { UseFormReturn } from "react-hook-form";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";
import { useTextFields } from "./useTextFields.ts";

/** Closing comments. A section like the others, because the form moves to the first wrong field in the order of registration. */
export function ClosingSection({ form }: { form: UseFormReturn<FormValues> }) {
  const { text } = useTextFields(form);
  return (
    <FormSection name="closing">
      <div className="is-wide">
        <TextAreaField {...text("closingComments")} />
      </div>
    </FormSection>
  );
}
