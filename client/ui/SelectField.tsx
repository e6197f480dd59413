import { FormGroup, HTMLSelect, Intent } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

type SelectFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  options: readonly { value: string | number; label: string }[];
  /** The choice of nothing, where there is one. */
  none?: string;
  error?: string;
  help?: ReactNode;
  disabled?: boolean;
};

/** A choice from a short list with its label and what is wrong with it. */
export function SelectField({ label, field, options, none, error, help, disabled }: SelectFieldProps) {
  const id = useId();
  const { ref, ...events } = field;
  const note = error ?? help;
  return (
    <FormGroup
      helperText={note ? <span id={`${id}-note`}>{note}</span> : undefined}
      intent={error ? Intent.DANGER : undefined}
      label={label}
      labelFor={id}
    >
      <HTMLSelect
        {...events}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        disabled={disabled}
        fill
        id={id}
        options={none === undefined ? [...options] : [{ value: "", label: none }, ...options]}
        ref={ref}
      />
    </FormGroup>
  );
}
