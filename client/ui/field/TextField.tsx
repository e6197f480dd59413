import { InputGroup, type InputGroupProps } from "@blueprintjs/core";
import type { ChangeEvent } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProps } from "./Field.tsx";

/** A field whose form keeps the value itself, without react-hook-form. */
type TypedField = {
  name: string;
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  ref?: undefined;
};

type TextFieldProps = FieldProps &
  Pick<InputGroupProps, "autoComplete" | "autoFocus" | "disabled" | "enterKeyHint" | "max" | "min" | "maxLength"> & {
    /** What react-hook-form's `register(name)` returned, or a value with its change handler. */
    field: UseFormRegisterReturn | TypedField;
    type?: "text" | "password" | "email" | "tel" | "number";
    /**
     * The keyboard of a phone: the numeric one also for a text that must be a number. An input of type "number" gives
     * an empty value for a mistyped one.
     */
    inputMode?: "numeric" | "decimal";
    /** Whether a phone's keyboard begins with a capital letter, as for names. */
    isName?: boolean;
    /** The id of the `Suggestions` that are offered during typing. Other texts may be typed too. */
    suggestions?: string;
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
  field: { ref, ...events },
  label,
  error,
  help,
  mark,
  count,
  isRequired,
  type = "text",
  inputMode = type === "number" ? "numeric" : undefined,
  isName = false,
  suggestions,
  ...input
}: TextFieldProps) {
  return (
    <Field count={count} error={error} help={help} isRequired={isRequired} label={label} mark={mark}>
      {(control) => (
        <InputGroup
          {...input}
          {...events}
          {...control}
          autoCapitalize={isName ? "words" : "none"}
          inputMode={inputMode}
          inputRef={ref}
          intent={error ? "danger" : "none"}
          list={suggestions}
          spellCheck={false}
          type={type}
        />
      )}
    </Field>
  );
}
