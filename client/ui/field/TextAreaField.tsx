import { Classes } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProps } from "./Field.tsx";
import "./TextAreaField.css";

type TextAreaFieldProps = FieldProps & {
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  /** Its height in browsers that do not make it as high as its text (TextAreaField.css). */
  rows?: number;
  disabled?: boolean;
};

/** Several lines of text, with label, help and error. */
export function TextAreaField({ field, rows = 2, disabled, ...labels }: TextAreaFieldProps) {
  const intent = labels.error ? Classes.INTENT_DANGER : "";
  return (
    <Field {...labels}>
      {(control) => (
        <textarea
          {...field}
          {...control}
          className={`text-area-field ${Classes.INPUT} ${Classes.FILL} ${intent}`}
          disabled={disabled}
          rows={rows}
        />
      )}
    </Field>
  );
}
