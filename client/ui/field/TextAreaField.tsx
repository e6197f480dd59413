import { TextArea } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProps } from "./Field.tsx";

type TextAreaFieldProps = FieldProps & {
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  /** Its height in browsers that do not make it as high as its text (Field.css). */
  rows?: number;
  maxLength?: number;
  disabled?: boolean;
};

/** Several lines of text, with label, help and error. */
export function TextAreaField({
  field: { ref, ...events },
  rows = 2,
  maxLength,
  disabled,
  ...labels
}: TextAreaFieldProps) {
  return (
    <Field {...labels}>
      {(control) => (
        <TextArea
          {...events}
          {...control}
          disabled={disabled}
          fill
          inputRef={ref}
          intent={labels.error ? "danger" : "none"}
          maxLength={maxLength}
          rows={rows}
        />
      )}
    </Field>
  );
}
