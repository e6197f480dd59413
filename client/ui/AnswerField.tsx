import type { UseFormRegisterReturn } from "react-hook-form";
import "./choices.css";

/** How a form holds an answer of three: yes, no, or not said. */
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
};

/** A question that is answered yes, no, or not at all. */
export function AnswerField({ label, field }: AnswerFieldProps) {
  return (
    <fieldset className="answer-field">
      <legend>{label}</legend>
      <div className="answer-choices">
        {choices.map(({ value, label: choice }) => (
          <label className="answer-choice" key={value}>
            <input {...field} type="radio" value={value} />
            <span>{choice}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
