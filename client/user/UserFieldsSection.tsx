import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { genders } from "../../gateway/user/user.rules.ts";
import { PartnerField } from "../reference/PartnerField.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { userLabels } from "./userFields.ts";
import type { UserInput } from "./userFields.ts";

const genderOptions = Object.entries(genders).map(([value, label]) => ({ value, label }));

type Fields = { register: UseFormRegister<UserInput>; errors: FieldErrors<UserInput> };
type Partner = { implementingPartnerId: number; implementingPartner: string };

type UserFieldsSectionProps = Fields & {
  mayName: boolean;
  mayChoosePartner: boolean;
  presentPartner?: Partner;
};

/** The fields of a user, when one is created and when one is changed. */
export function UserFieldsSection({
  register,
  errors,
  mayName,
  mayChoosePartner,
  presentPartner,
}: UserFieldsSectionProps) {
  const of = (name: keyof UserInput) => ({
    label: userLabels[name],
    field: register(name),
    error: errors[name]?.message,
  });
  return (
    <div className="grid is-half">
      <TextField {...of("userName")} disabled={!mayName} autoComplete="off" />
      <TextField {...of("firstName")} autoComplete="off" />
      <TextField {...of("middleName")} autoComplete="off" />
      <TextField {...of("surname")} autoComplete="off" />
      <SelectField {...of("gender")} options={genderOptions} />
      <TextField {...of("primaryEmail")} type="email" autoComplete="off" />
      <TextField {...of("secondaryEmail")} type="email" autoComplete="off" />
      <TextField {...of("primaryPhoneNumber")} type="tel" autoComplete="off" />
      <TextField {...of("secondaryPhoneNumber")} type="tel" autoComplete="off" />
      {mayChoosePartner ? (
        <PartnerField
          {...of("implementingPartnerId")}
          none={presentPartner ? undefined : "Choose a partner"}
          present={presentPartner}
        />
      ) : null}
      <div className="is-wide">
        <TextAreaField {...of("bio")} />
      </div>
    </div>
  );
}
