import { Intent, TextArea } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProps } from "./Field.tsx";

type TextAreaFieldProps = FieldProps & {
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  rows?: number;
  disabled?: boolean;
};

/** Several lines of text with their label, their help and what is wrong with them. */
export function TextAreaField({ field, rows = 2, disabled, ...labels }: TextAreaFieldProps) {
  const { ref, ...events } = field;
  return (
    <Field {...labels}>
      {(control) => (
        <TextArea
          {...events}
          {...control}
          autoResize
          disabled={disabled}
          fill
          inputRef={ref}
          intent={labels.error ? Intent.DANGER : undefined}
          rows={rows}
        />
      )}
    </Field>
  );
}
