import { useId } from "react";
import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import "./choices.css";

/** An answer in a form: yes, no, or not given. */
export type Answer = "yes" | "no" | "";

const choices: { value: Answer; label: string }[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
  { value: "", label: "Unspecified" },
];

type AnswerFieldProps = {
  label: string;
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  /** A note on where its value is from. */
  mark?: string;
  help?: ReactNode;
};

/** A question that is answered yes, no, or not at all. */
export function AnswerField({ label, field, mark, help }: AnswerFieldProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={mark ? id : undefined} className="answer-field">
      <legend>{label}</legend>
      {mark ? (
        <span className="field-mark" id={id}>
          {mark}
        </span>
      ) : null}
      <div className="answer-choices">
        {choices.map(({ value, label: choice }) => (
          <label className="answer-choice" key={value}>
            <input {...field} type="radio" value={value} />
            <span>{choice}</span>
          </label>
        ))}
      </div>
      {help ? <div>{help}</div> : null}
    </fieldset>
  );
}
