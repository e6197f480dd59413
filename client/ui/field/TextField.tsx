import { Classes } from "@blueprintjs/core";
import type { HTMLInputAutoCompleteAttribute } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProps } from "./Field.tsx";

/** A field whose form keeps the value itself, without react-hook-form. */
export type TypedField = { name: string; value: string; onChange: (event: { target: unknown }) => void };

type TextFieldProps = FieldProps & {
  /** What react-hook-form's `register(name)` returned, or a value with its change handler. */
  field: UseFormRegisterReturn | TypedField;
  type?: "text" | "password" | "email" | "tel" | "date" | "number";
  /** The keyboard of a phone: the numeric one also for a text that must be a number. An input of type "number" gives an empty value for a mistyped one. */
  inputMode?: "numeric" | "decimal";
  /** The smallest number that is allowed. */
  min?: string;
  /** The latest date or largest number that is allowed. */
  max?: string;
  /** What Enter on a phone's keyboard says that it does. */
  enterKeyHint?: "next";
  /** Whether a phone's keyboard begins with a capital letter, as for names. */
  isName?: boolean;
  /** The id of the `Suggestions` that are offered during typing. Other texts may be typed too. */
  suggestions?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  autoFocus?: boolean;
  disabled?: boolean;
};

/** Suggestions for all fields that name this id. */
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

/** One line of text, with label, help and error. */
export function TextField({
  field,
  type = "text",
  inputMode = type === "number" ? "numeric" : undefined,
  min,
  max,
  enterKeyHint,
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
            enterKeyHint={enterKeyHint}
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
