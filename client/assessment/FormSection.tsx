import { Card } from "@blueprintjs/core";
import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { CarriedNote } from "./CarriedNote.tsx";
import { contactFields } from "./fieldLabels.ts";
import { headingIdOf, sections } from "./formSections.ts";
import type { SectionName, StepName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";
import { useIsShown } from "./useSteps.ts";
import { useTextFields } from "./useTextFields.ts";

type FormSectionProps = {
  name: SectionName;
  /** the steps in which it is shown */
  of: StepName[];
  children: ReactNode;
};

/** One part of the assessment's form under its heading. */
export function FormSection({ name, of, children }: FormSectionProps) {
  const id = headingIdOf(name);
  return (
    <Card aria-labelledby={id} className="stack" hidden={!useIsShown(...of)} role="region">
      <h2 id={id} tabIndex={-1}>
        {sections[name]}
      </h2>
      {children}
    </Card>
  );
}

type PartProps = { form: UseFormReturn<FormValues> };
type ContactSectionProps = PartProps & { contact: "contactA" | "contactB"; lastVisit: LastVisit | null };

/** A contact person at the facility. */
export function ContactSection({ contact, form, lastVisit }: ContactSectionProps) {
  const { labelledText } = useTextFields(form);
  return (
    <FormSection name={contact} of={["contacts"]}>
      <CarriedNote form={form} lastVisit={lastVisit} section={contact} />
      <div className="grid is-half">
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
      </div>
    </FormSection>
  );
}

/** Closing comments. */
export function ClosingSection({ form }: PartProps) {
  const { text } = useTextFields(form);
  return (
    <FormSection name="closing" of={["closing"]}>
      <TextAreaField {...text("closingComments")} />
    </FormSection>
  );
}
