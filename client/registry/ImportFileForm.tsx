import { Button, FileInput } from "@blueprintjs/core";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router-dom";
import { routes } from "../routes.ts";
import { Field } from "../ui/field/Field.tsx";
import { sendForm } from "../ui/form/sendForm.ts";
import { UploadProgress } from "../ui/notice/UploadProgress.tsx";
import { askAnew } from "../urql.ts";
import type { Fault } from "./registryCalls.ts";

/** How many faults of a list are shown. */
const mostShown = 50;

/** Sends a list of facilities, and opens its review. What is wrong with it is listed by row and column. */
export function ImportFileForm() {
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const [percent, setPercent] = useState<number>();
  const [message, setMessage] = useState<string>();
  const [faults, setFaults] = useState<Fault[]>([]);

  const refuse = (detail: string, errors: Fault[] = []) => {
    setMessage(detail);
    setFaults(errors);
  };
  const send = async () => {
    if (!file) return refuse("Choose a file first.");
    const form = new FormData();
    form.append("file", file, file.name);
    refuse("");
    setPercent(0);
    try {
      const { status, body } = await sendForm("/api/v1/registry/import", form, setPercent);
      const { uuid, detail, errors } = (body ?? {}) as { uuid?: string; detail?: string; errors?: Fault[] };
      if (status !== 200 || !uuid) return refuse(detail ?? "The list could not be sent.", errors);
      askAnew();
      navigate(routes.registryImport(uuid));
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

  return (
    <form className="registry-form" noValidate onSubmit={submit}>
      <p className="registry-note">
        CSV as spreadsheets save it, with the columns of the facility list. An empty cell leaves what is stored; (erase) erases it. Nothing changes before you have reviewed the rows and applied them.
      </p>
      <Field error={message || undefined} label="List of facilities (CSV)">
        {(control) => (
          <FileInput
            fill
            hasSelection={file !== undefined}
            inputProps={{ ...control, accept: ".csv,text/csv", onChange: (event) => setFile(event.currentTarget.files?.[0]) }}
            text={file?.name ?? "Choose a file …"}
          />
        )}
      </Field>
      {faults.length > 0 ? (
        <ul className="import-faults" role="alert">
          {faults.slice(0, mostShown).map(({ path, message: words }) => (
            <li key={`${path} ${words}`}>
              {path}: {words}
            </li>
          ))}
          {faults.length > mostShown ? <li>and {faults.length - mostShown} more</li> : null}
        </ul>
      ) : null}
      {percent === undefined ? null : <UploadProgress finalising="Comparing with the registry, please wait" label="Upload" percent={percent} />}
      <div className="registry-actions">
        <Button disabled={percent !== undefined} intent="primary" text="Review" type="submit" />
      </div>
    </form>
  );
}
