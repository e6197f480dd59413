import type { UseFormRegisterReturn } from "react-hook-form";
import "./choices.css";

type CheckFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  disabled?: boolean;
};

/** A checkbox with its label. */
export function CheckField({ label, field, disabled }: CheckFieldProps) {
  return (
    <label className="check-field">
      <input {...field} disabled={disabled} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}
