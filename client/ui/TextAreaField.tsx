import { FormGroup, Intent, TextArea } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

type TextAreaFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  error?: string;
  help?: ReactNode;
  rows?: number;
  disabled?: boolean;
};

/** Several lines of text with their label, their help and what is wrong with them. */
export function TextAreaField({ label, field, error, help, rows = 2, disabled }: TextAreaFieldProps) {
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
      <TextArea
        {...events}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        autoResize
        disabled={disabled}
        fill
        id={id}
        inputRef={ref}
        intent={error ? Intent.DANGER : undefined}
        rows={rows}
      />
    </FormGroup>
  );
}
