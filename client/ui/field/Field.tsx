import { FormGroup } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";
import "./Field.css";

/** The attributes that connect a control with its label and with the note beneath it. */
type FieldControl = {
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

/** Blueprint's FormGroup, with what it leaves out: it connects the note, the mark and the error with the control. */
export function Field({
  label,
  error,
  help,
  mark,
  count,
  isRequired = false,
  children,
}: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId();
  const note = error === undefined ? help : sentenceOf(label, error);
  const described = [mark ? `${id}-mark` : "", note ? `${id}-note` : ""].filter(Boolean).join(" ");
  // Not its labelInfo, which would become a part of the control's name.
  const beside =
    isRequired || mark || count ? (
      <>
        {isRequired ? <span aria-hidden="true">required</span> : null}
        {mark ? (
          <span className="field-mark" id={`${id}-mark`}>
            {mark}
          </span>
        ) : null}
        {count}
      </>
    ) : undefined;
  return (
    <FormGroup
      helperText={note ? <span id={`${id}-note`}>{note}</span> : undefined}
      intent={error ? "danger" : undefined}
      label={label}
      labelFor={id}
      subLabel={beside}
    >
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
        "aria-required": isRequired || undefined,
      })}
    </FormGroup>
  );
}
