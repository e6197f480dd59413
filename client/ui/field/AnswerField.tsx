import { Classes, Radio } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import "./Field.css";

/** An answer in a form: yes, no, or not given. */
export type Answer = "yes" | "no" | "";

const choices: { value: Answer; label: string }[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
  { value: "", label: "Not checked" },
];

type AnswerFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  /** A note on where its value is from. */
  mark?: string;
  help?: ReactNode;
};

/**
 * A question that is answered yes, no, or not at all. Its radios are registered one by one, as Blueprint's RadioGroup
 * cannot be.
 */
export function AnswerField({ label, field: { ref, ...events }, mark, help }: AnswerFieldProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={mark ? id : undefined}>
      <legend className={Classes.LABEL}>{label}</legend>
      {mark ? (
        <span className="field-mark" id={id}>
          {mark}
        </span>
      ) : null}
      {choices.map((choice) => (
        <Radio {...events} {...choice} inline inputRef={ref} key={choice.value} />
      ))}
      {help ? <div>{help}</div> : null}
    </fieldset>
  );
}
