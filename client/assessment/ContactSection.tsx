import type { UseFormReturn } from "react-hook-form";
import { TextField } from "../ui/field/TextField.tsx";
import { CarriedNote } from "./CarriedNote.tsx";
import { contactFields } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";
import { useTextFields } from "./useTextFields.ts";

type ContactSectionProps = { contact: "contactA" | "contactB"; form: UseFormReturn<FormValues> };

/** A contact person at the facility. */
export function ContactSection({ contact, form }: ContactSectionProps) {
  const { labelledText } = useTextFields(form);
  return (
    <FormSection name={contact} note={<CarriedNote form={form} group={contact} />}>
      {contactFields.map(({ part, label, type }) => (
        <TextField
          {...labelledText(`${contact}${part}`, label)}
          // No autofill: the browser knows the person who fills the form in, not the contact.
          autoComplete="off"
          enterKeyHint="next"
          isName={type === "text"}
          key={part}
          type={type}
        />
      ))}
    </FormSection>
  );
}
