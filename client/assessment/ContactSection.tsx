import { useFormState } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { TextField } from "../ui/TextField.tsx";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";

const fields = [
  { part: "Name", label: "Name", type: "text" },
  { part: "Role", label: "Role", type: "text" },
  { part: "PrimaryPhone", label: "Primary phone", type: "tel" },
  { part: "SecondaryPhone", label: "Secondary phone", type: "tel" },
  { part: "Email", label: "Email", type: "email" },
] as const;

type ContactSectionProps = { title: string; contact: "contactA" | "contactB"; form: UseFormReturn<FormValues> };

/** Somebody at the facility who can be asked. */
export function ContactSection({ title, contact, form: { register, control } }: ContactSectionProps) {
  const { errors } = useFormState({ control });
  return (
    <FormSection title={title}>
      {fields.map(({ part, label, type }) => {
        const name = `${contact}${part}` as const;
        return <TextField key={name} label={label} type={type} field={register(name)} error={errors[name]?.message} />;
      })}
    </FormSection>
  );
}
