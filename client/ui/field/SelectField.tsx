import { HTMLSelect } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProps } from "./Field.tsx";

type SelectFieldProps = FieldProps & {
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  options: readonly { value: string | number; label: string }[];
  /** The label of the empty choice, if there is one. */
  none?: string;
  disabled?: boolean;
};

/** A choice from a short list, with its label and error. */
export function SelectField({ field: { ref, ...events }, options, none, disabled, ...labels }: SelectFieldProps) {
  const offered = none === undefined ? [...options] : [{ value: "", label: none }, ...options];
  return (
    <Field {...labels}>
      {(control) => <HTMLSelect {...events} {...control} disabled={disabled} fill options={offered} ref={ref} />}
    </Field>
  );
}
