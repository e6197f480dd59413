import type { UseFormRegisterReturn } from "react-hook-form";
import { facilityFields, type FieldName } from "../../db/facility/facilityFields.rules.ts";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";

type EditableFieldProps = {
  name: FieldName;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  error: string | undefined;
};

const inputModes = { text: undefined, count: "numeric", degrees: "decimal" } as const;

/** The control of a plain field, chosen by its type in the catalogue. */
export function EditableField({ name, field, error }: EditableFieldProps) {
  const { label, ...kind } = facilityFields[name];
  if (kind.type === "choice")
    return (
      <SelectField
        error={error}
        field={field}
        label={label}
        none="Not known"
        options={kind.values.map((value) => ({ value, label: value }))}
      />
    );
  return <TextField error={error} field={field} inputMode={inputModes[kind.type]} label={label} />;
}
