import { Checkbox } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";

type CheckFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  disabled?: boolean;
  /** The value that it adds, if several checkboxes are one field. */
  value?: string | number;
};

/** A checkbox of a form. */
export function CheckField({ field: { ref, ...events }, ...box }: CheckFieldProps) {
  return <Checkbox {...events} {...box} inputRef={ref} />;
}
