import { Classes } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";

/** The attributes that connect a control with its label and with the note beneath it. */
export type FieldControl = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "aria-required": true | undefined;
};

export type FieldProps = {
  label: string;
  /** The error: the end of a sentence that begins with the label ("is required"), or a whole sentence. */
  error?: string;
  /** Shown beneath the control while there is no error. */
  help?: ReactNode;
  /** A note on where its value is from, beside the label. */
  mark?: string;
  /** How many characters are left, beside the label (`LengthCount`). */
  count?: ReactNode;
  isRequired?: boolean;
};

/** The error as a sentence. Rules do not know the label, so their messages begin with the verb: "is required". */
const sentenceOf = (label: string, error: string) => (/^[a-z]/.test(error) ? `${label} ${error}` : error);

/**
 * A control with its label, and beneath it its error or its help. It uses Blueprint's classes without its components, as the controls do: a
 * form has dozens of them, and Blueprint renders each input twice.
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
