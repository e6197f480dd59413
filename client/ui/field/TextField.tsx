import { Classes } from "@blueprintjs/core";
import type { HTMLInputAutoCompleteAttribute } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProps } from "./Field.tsx";

/** A field that its form holds by itself, without react-hook-form. */
export type TypedField = { name: string; value: string; onChange: (event: { target: unknown }) => void };

type TextFieldProps = FieldProps & {
  /** What react-hook-form's `register(name)` returned; or a value with who is told when it is changed. */
  field: UseFormRegisterReturn | TypedField;
  type?: "text" | "password" | "email" | "tel" | "date" | "number";
  /** The keyboard of a phone: that of numbers also for a text that is to be one. A browser hands out nothing of a mistyped "number". */
  inputMode?: "numeric" | "decimal";
  /** The smallest number to choose. */
  min?: string;
  /** The latest date or largest number to choose. */
  max?: string;
  /** Whether it begins with a capital letter, as names do. */
  isName?: boolean;
  /** The id of the `Suggestions` that are offered while one types; others may be typed. */
  suggestions?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  autoFocus?: boolean;
  disabled?: boolean;
};

/** What is offered in each field that names this id: one list for them all. */
export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </datalist>
  );
}

/** One line of text with its label, its help and what is wrong with it. */
export function TextField({
  field,
  type = "text",
  inputMode = type === "number" ? "numeric" : undefined,
  min,
  max,
  isName = false,
  suggestions,
  autoComplete,
  autoFocus,
  disabled,
  ...labels
}: TextFieldProps) {
  const intent = labels.error ? Classes.INTENT_DANGER : "";
  return (
    <Field {...labels}>
      {(control) => (
        <div className={`${Classes.INPUT_GROUP} ${intent}`}>
          <input
            {...field}
            {...control}
            autoCapitalize={isName ? "words" : "none"}
            autoComplete={autoComplete}
            autoFocus={autoFocus}
            className={Classes.INPUT}
            disabled={disabled}
            list={suggestions}
            inputMode={inputMode}
            max={max}
            min={min}
            spellCheck={false}
            type={type}
          />
        </div>
      )}
    </Field>
  );
}
