import { Button, FileInput } from "@blueprintjs/core";
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from "react";
import { useNavigate } from "react-router-dom";
import { Field } from "../ui/field/Field.tsx";
import { sendForm } from "../ui/form/sendForm.ts";
import { UploadProgress } from "../ui/form/UploadProgress.tsx";
import { askAgain } from "../urql.ts";
import type { Fault } from "./registryCalls.ts";

/** How many faults of a list are shown. */
const mostShown = 50;

type ListFileFormProps = {
  note: string;
  label: string;
  accept: string;
  button: string;
  /** the address to which the list is sent */
  path: string;
  /** the screen of the result */
  routeOf: (uuid: string) => string;
  /** values that are sent with the list, by name; those without a value are left out */
  beside?: Record<string, string>;
  /** what is wrong with these values, checked before anything is sent */
  check?: () => Fault | undefined;
  /** the fields of these values; they place the field of the list among them */
  children?: (file: ReactNode, faultOf: (name: string) => string | undefined) => ReactNode;
};

/** Sends a list of facilities, and opens the result. Errors of the list are shown by row and column. */
export function ListFileForm({
  note,
  label,
  accept,
  button,
  path: address,
  routeOf,
  beside = {},
  check,
  children,
}: ListFileFormProps) {
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const [percent, setPercent] = useState<number>();
  const [message, setMessage] = useState<string>();
  const [faults, setFaults] = useState<Fault[]>([]);

  const isOfField = ({ path }: Fault) => path in beside;
  const others = faults.filter((fault) => !isOfField(fault));
  const refuse = (detail: string, errors: Fault[] = []) => {
    setMessage(errors.some(isOfField) ? "" : detail);
    setFaults(errors);
  };
  const send = async () => {
    const fault = check?.();
    if (fault) return refuse("", [fault]);
    if (!file) return refuse("Choose a file first.");
    const form = new FormData();
    for (const [name, value] of Object.entries(beside)) if (value !== "") form.append(name, value);
    form.append("file", file, file.name);
    refuse("");
    setPercent(0);
    try {
      const { status, body } = await sendForm(address, form, setPercent);
      const { uuid, detail, errors } = (body ?? {}) as { uuid?: string; detail?: string; errors?: Fault[] };
      if (status !== 200 || !uuid) return refuse(detail ?? "The list could not be sent.", errors);
      askAgain();
      navigate(routeOf(uuid));
    } catch (error) {
      refuse(error instanceof Error ? error.message : "The list could not be sent.");
    } finally {
      setPercent(undefined);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    setFile(currentTarget.files?.[0]);
    refuse("");
  };
  const edited = ({ target }: FormEvent) =>
    setFaults((previous) => previous.filter(({ path }) => path !== (target as HTMLInputElement).name));
  const field = (
    <Field error={message || undefined} label={label}>
      {(control) => (
        <FileInput
          fill
          hasSelection={file !== undefined}
          inputProps={{ ...control, accept, onChange: choose }}
          size="large"
          text={file?.name ?? "Choose a file …"}
        />
      )}
    </Field>
  );

  return (
    <form className="stack" noValidate onInput={edited} onSubmit={submit}>
      <p className="note">{note}</p>
      {children ? children(field, (name) => faults.find((fault) => fault.path === name)?.message) : field}
      {others.length > 0 ? (
        <ul className="is-scrolling" role="alert">
          {others.slice(0, mostShown).map(({ path, message: words }) => (
            <li key={`${path} ${words}`}>
              {path}: {words}
            </li>
          ))}
          {others.length > mostShown ? <li>and {others.length - mostShown} more</li> : null}
        </ul>
      ) : null}
      {percent === undefined ? null : (
        <UploadProgress finalising="Comparing with the registry, please wait" label="Upload" percent={percent} />
      )}
      <div className="row">
        <Button disabled={percent !== undefined} intent="primary" text={button} type="submit" />
      </div>
    </form>
  );
}
