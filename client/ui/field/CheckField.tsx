import type { UseFormRegisterReturn } from "react-hook-form";
import "./choices.css";

type CheckFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  disabled?: boolean;
  /** The value that it adds, if several checkboxes are one field. */
  value?: number;
};

/** A checkbox with its label. */
export function CheckField({ label, field, disabled, value }: CheckFieldProps) {
  return (
    <label className="check-field">
      <input {...field} disabled={disabled} type="checkbox" value={value} />
      <span>{label}</span>
    </label>
  );
}
