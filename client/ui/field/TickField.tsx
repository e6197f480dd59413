import { Button, Checkbox } from "@blueprintjs/core";
import { useId, useRef } from "react";
import type { ReactNode } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { useController } from "react-hook-form";
import "./Field.css";

type TickFieldProps<Values extends FieldValues> = {
  label: string;
  /** a field with a boolean, or null while nobody has answered */
  name: FieldPath<Values>;
  form: UseFormReturn<Values>;
  /** called instead of writing the value, if more than this field depends on it */
  onAnswer?: (answer: boolean | null) => void;
  disabled?: boolean;
  help?: ReactNode;
  /** the word for no answer */
  unanswered?: string;
};

/**
 * A checkbox that is ticked (yes), unticked (no) or neither (nobody has checked it). The first click ticks it; "Clear"
 * takes the answer back.
 */
export function TickField<Values extends FieldValues>({
  label,
  name,
  form,
  onAnswer,
  disabled = false,
  help,
  unanswered = "Not checked",
}: TickFieldProps<Values>) {
  const id = useId();
  const { field } = useController({ control: form.control, name });
  const answer = (field.value ?? null) as boolean | null;
  const set = onAnswer ?? ((value: boolean | null) => field.onChange(value));
  const box = useRef<HTMLInputElement | null>(null);
  const clear = () => {
    set(null);
    box.current?.focus();
  };
  return (
    <div className="tick-field row">
      <Checkbox
        aria-describedby={id}
        checked={answer === true}
        disabled={disabled}
        indeterminate={answer === null}
        inputRef={(input) => {
          box.current = input;
          if (input) field.ref(input);
        }}
        label={label}
        name={name}
        onBlur={field.onBlur}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <span className="note" id={id}>
        {answer === null ? unanswered : answer ? "Yes" : "No"}
      </span>
      {answer === null || disabled ? null : (
        <Button className="tick-clear" onClick={clear} size="small" variant="minimal">
          Clear<span className="visually-hidden"> {label}</span>
        </Button>
      )}
      {help}
    </div>
  );
}
