import { FormGroup, InputGroup, Intent } from "@blueprintjs/core";
import { useId } from "react";
import type { HTMLInputAutoCompleteAttribute, ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

type TextFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  error?: string;
  help?: ReactNode;
  type?: "text" | "password" | "email" | "tel" | "date" | "number";
  /** The latest date or largest number to choose. */
  max?: string;
  /** Offered while one types; others may be typed. */
  suggestions?: readonly string[];
  autoComplete?: HTMLInputAutoCompleteAttribute;
  autoFocus?: boolean;
  disabled?: boolean;
};

/** One line of text with its label, its help and what is wrong with it. */
export function TextField({
  label,
  field,
  error,
  help,
  type = "text",
  max,
  suggestions,
  autoComplete,
  autoFocus,
  disabled,
}: TextFieldProps) {
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
      <InputGroup
        {...events}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        autoCapitalize="none"
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        disabled={disabled}
        id={id}
        inputRef={ref}
        intent={error ? Intent.DANGER : undefined}
        list={suggestions ? `${id}-list` : undefined}
        max={max}
        spellCheck={false}
        type={type}
      />
      {suggestions ? (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion}>
              {suggestion}
            </option>
          ))}
        </datalist>
      ) : null}
    </FormGroup>
  );
}
