import { Checkbox } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import "./choices.css";

type CheckFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  disabled?: boolean;
};

/** Something that is so or not. */
export function CheckField({ label, field, disabled }: CheckFieldProps) {
  const { ref, ...events } = field;
  return <Checkbox {...events} className="check-field" disabled={disabled} inputRef={ref} label={label} />;
}
