import { FormGroup, Intent } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";

/** What ties a control to its label and to the note beneath it. */
export type FieldControl = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

export type FieldProps = {
  label: string;
  error?: string;
  /** Stands beneath the control while nothing is wrong. */
  help?: ReactNode;
};

/** A control with its label, and beneath it what is wrong with what it holds, or its help. */
export function Field({ label, error, help, children }: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId();
  const note = error ?? help;
  return (
    <FormGroup
      helperText={note ? <span id={`${id}-note`}>{note}</span> : undefined}
      intent={error ? Intent.DANGER : undefined}
      label={label}
      labelFor={id}
    >
      {children({ id, "aria-describedby": note ? `${id}-note` : undefined, "aria-invalid": error ? true : undefined })}
    </FormGroup>
  );
}
