import { Card } from "@blueprintjs/core";
import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { CarriedNote } from "./CarriedNote.tsx";
import { contactFields } from "./fieldLabels.ts";
import { headingIdOf, sections } from "./formSections.ts";
import type { SectionName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import { useTextFields } from "./useTextFields.ts";

type FormSectionProps = {
  name: SectionName;
  /** shown between the heading and the fields */
  note?: ReactNode;
  children: ReactNode;
};

/** One part of the assessment's form under its heading. */
export function FormSection({ name, note, children }: FormSectionProps) {
  const id = headingIdOf(name);
  return (
    <Card aria-labelledby={id} className="stack" role="region">
      <h2 id={id} tabIndex={-1}>
        {sections[name].title}
      </h2>
      {note}
      <div className="grid is-half">{children}</div>
    </Card>
  );
}

type PartProps = { form: UseFormReturn<FormValues> };

/** A contact person at the facility. */
export function ContactSection({ contact, form }: PartProps & { contact: "contactA" | "contactB" }) {
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

/**
 * Closing comments. A section like the others, because the form moves to the first wrong field in the order of
 * registration.
 */
export function ClosingSection({ form }: PartProps) {
  const { text } = useTextFields(form);
  return (
    <FormSection name="closing">
      <div className="is-wide">
        <TextAreaField {...text("closingComments")} />
      </div>
    </FormSection>
  );
}
