import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { useController } from "react-hook-form";
import { DayInput } from "./DayInput.tsx";
import { Field, type FieldProps } from "./Field.tsx";

type DateFieldProps<Values extends FieldValues> = FieldProps & {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** The first and the last day of its calendar. */
  min?: string | undefined;
  max?: string | undefined;
  enterKeyHint?: "next";
  /** Another field that is checked again when this one changes. */
  deps?: FieldPath<Values>;
};

/** A day in a form, with label, help and error. Its value is YYYY-MM-DD, or what was typed instead of a day. */
export function DateField<Values extends FieldValues>({
  control: form,
  name,
  min,
  max,
  enterKeyHint,
  deps,
  ...labels
}: DateFieldProps<Values>) {
  const { field, fieldState } = useController({ control: form, name, rules: deps ? { deps: [deps] } : {} });
  // Rules name a day as programs write it.
  const error = (labels.error ?? fieldState.error?.message)?.replace("YYYY-MM-DD", "DD MMM YYYY");
  const { ref, ...events } = field;
  return (
    <Field {...labels} error={error}>
      {(control) => (
        <DayInput
          {...events}
          {...control}
          enterKeyHint={enterKeyHint}
          inputRef={ref}
          intent={error ? "danger" : "none"}
          label={labels.label}
          max={max}
          min={min}
          value={field.value ?? ""}
        />
      )}
    </Field>
  );
}
