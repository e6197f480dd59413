import { FormGroup, Intent, TextArea } from "@blueprintjs/core";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

type LongTextFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  error?: string;
  help?: string;
  rows?: number;
  disabled?: boolean;
};

/** Several lines of text with their label, help and what is wrong with them. */
export function LongTextField({ label, field, error, help, rows = 3, disabled }: LongTextFieldProps) {
  const id = useId();
  const { ref, ...events } = field;
  const note = error ?? help;
  const intent = error ? Intent.DANGER : undefined;
  return (
    <FormGroup helperText={note ? <span id={`${id}-note`}>{note}</span> : undefined} intent={intent} label={label} labelFor={id}>
      <TextArea
        {...events}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        disabled={disabled}
        fill
        id={id}
        inputRef={ref}
        intent={intent}
        rows={rows}
      />
    </FormGroup>
  );
}
