import { Classes } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";

/** What ties a control to its label and to the note beneath it. */
export type FieldControl = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "aria-required": true | undefined;
};

export type FieldProps = {
  label: string;
  /** What is wrong: what a rule says of the field ("is required"), or a sentence. */
  error?: string;
  /** Stands beneath the control while nothing is wrong. */
  help?: ReactNode;
  /** A word about where its value is from, beside the label. */
  mark?: string;
  /** How much may still be typed, beside the label (`LengthCount`). */
  count?: ReactNode;
  isRequired?: boolean;
};

/** What is wrong with what a field holds, as a sentence: a rule says "is required", whatever the field is called. */
const sentenceOf = (label: string, error: string) => (/^[a-z]/.test(error) ? `${label} ${error}` : error);

/**
 * A control with its label, and beneath it what is wrong with what it holds, or its help. It wears Blueprint's classes without its
 * components, as the controls do: a form has dozens, and Blueprint's inputs are drawn twice.
 */
export function Field({ label, error, help, mark, count, isRequired = false, children }: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId();
  const note = error === undefined ? help : sentenceOf(label, error);
  const described = [mark ? `${id}-mark` : "", note ? `${id}-note` : ""].filter(Boolean).join(" ");
  return (
    <div className={error ? `${Classes.FORM_GROUP} ${Classes.INTENT_DANGER}` : Classes.FORM_GROUP}>
      <label className={Classes.LABEL} htmlFor={id}>
        {label}
      </label>
      {isRequired ? (
        <span aria-hidden="true" className="field-mark">
          required
        </span>
      ) : null}
      {mark ? (
        <span className="field-mark" id={`${id}-mark`}>
          {mark}
        </span>
      ) : null}
      {count}
      <div className={Classes.FORM_CONTENT}>
        {children({
          id,
          "aria-describedby": described || undefined,
          "aria-invalid": error ? true : undefined,
          "aria-required": isRequired || undefined,
        })}
        {note ? (
          <div className={Classes.FORM_HELPER_TEXT} id={`${id}-note`}>
            {note}
          </div>
        ) : null}
      </div>
    </div>
  );
}
