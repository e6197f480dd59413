import { FormGroup, HTMLSelect, Intent } from "@blueprintjs/core";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

type SelectFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  options: readonly { value: string | number; label: string }[];
  /** The choice of nothing. */
  none: string;
  error?: string;
  disabled?: boolean;
};

/** One choice of a list with its label and what is wrong with it. */
export function SelectField({ label, field, options, none, error, disabled }: SelectFieldProps) {
  const id = useId();
  const { ref, ...events } = field;
  return (
    <FormGroup
      helperText={error ? <span id={`${id}-note`}>{error}</span> : undefined}
      intent={error ? Intent.DANGER : undefined}
      label={label}
      labelFor={id}
    >
      <HTMLSelect
        {...events}
        aria-describedby={error ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        disabled={disabled}
        fill
        id={id}
        options={[{ value: "", label: none }, ...options]}
        ref={ref}
      />
    </FormGroup>
  );
}
