import type { UseFormReturn } from "react-hook-form";
import { actionLimits } from "../../gateway/assessment/visitActions.rules.ts";
import { PartnerField } from "../reference/PartnerField.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { daysAfter } from "../ui/text/dates.ts";

/** The values of the fields; the partner's id as text, empty without one. */
export type Agreed = { text: string; responsible: string; implementingPartnerId: string; dueDay: string };
const names = ["text", "responsible", "implementingPartnerId", "dueDay"] as const;
/** The field that an error of the server is about; without one, the form. */
export const fieldOf = (path: string): (typeof names)[number] | "root" => names.find((name) => name === path) ?? "root";

type AgreedSectionProps = {
  form: UseFormReturn<Agreed>;
  /** The day of the agreement. */
  firstDay: string;
  /** The present partner, which may be no longer active. */
  partner?: { implementingPartnerId: number; implementingPartner: string } | null | undefined;
};

/** The fields of an action: what is to be done, by whom and until when. */
export function AgreedSection({ form, firstDay, partner }: AgreedSectionProps) {
  const {
    register,
    control,
    formState: { errors },
  } = form;
  return (
    <>
      <TextAreaField
        error={errors.text?.message}
        field={register("text", { validate: (text) => text.trim() !== "" || "is required" })}
        label="What is to be done"
        maxLength={actionLimits.text}
        rows={3}
      />
      <TextField
        autoComplete="off"
        error={errors.responsible?.message}
        field={register("responsible", {
          validate: (name, { implementingPartnerId }) =>
            name.trim() !== "" || implementingPartnerId !== "" || "is required, unless a partner is named",
        })}
        help="A person or an organisation"
        isName
        label="Responsible"
        maxLength={actionLimits.responsible}
      />
      <PartnerField
        error={errors.implementingPartnerId?.message}
        field={register("implementingPartnerId")}
        label="Implementing partner"
        none="No partner"
        present={partner}
      />
      <DateField control={control} label="Due" max={daysAfter(firstDay, 730)} min={firstDay} name="dueDay" />
    </>
  );
}
