import { Button, FileInput } from "@blueprintjs/core";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router-dom";
import { routes } from "../routes.ts";
import { Field } from "../ui/field/Field.tsx";
import { Suggestions, TextField } from "../ui/field/TextField.tsx";
import { sendForm } from "../ui/form/sendForm.ts";
import { UploadProgress } from "../ui/notice/UploadProgress.tsx";
import { askAnew } from "../urql.ts";
import type { Fault } from "./registryCalls.ts";

/** How many faults of a list are shown. */
const mostShown = 50;
const typed = (set: (value: string) => void) => ({ target }: { target: unknown }) => set((target as HTMLInputElement).value);

/** Sends somebody else's list, and opens what the comparison found. What is wrong with it is listed by row and column. */
export function ReconciliationFileForm({ sources }: { sources: readonly string[] }) {
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const [source, setSource] = useState(sources[0] ?? "");
  const [level, setLevel] = useState("");
  const [percent, setPercent] = useState<number>();
  const [message, setMessage] = useState<string>();
  const [faults, setFaults] = useState<Fault[]>([]);

  const faultOf = (path: string) => faults.find((fault) => fault.path === path)?.message;
  const others = faults.filter(({ path }) => path !== "source" && path !== "level");
  const refuse = (detail: string, errors: Fault[] = []) => {
    setMessage(errors.some(({ path }) => path === "source" || path === "level") ? "" : detail);
    setFaults(errors);
  };
  const send = async () => {
    if (source.trim() === "") return refuse("", [{ path: "source", message: "Say whose list it is." }]);
    if (!file) return refuse("Choose a file first.");
    const form = new FormData();
    form.append("source", source.trim());
    if (level !== "") form.append("level", level);
    form.append("file", file, file.name);
    refuse("");
    setPercent(0);
    try {
      const { status, body } = await sendForm("/api/v1/registry/reconciliations", form, setPercent);
      const { uuid, detail, errors } = (body ?? {}) as { uuid?: string; detail?: string; errors?: Fault[] };
      if (status !== 200 || !uuid) return refuse(detail ?? "The list could not be sent.", errors);
      askAnew();
      navigate(routes.reconciliation(uuid));
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
        DHIS2&apos;s organisation units as CSV or as the JSON of its API (paging=false), or a list of facilities as CSV with the columns of an import. Only what the list has columns for is compared. Nothing is changed.
      </p>
      <div className="registry-fields">
        <TextField error={faultOf("source")} field={{ name: "source", value: source, onChange: typed(setSource) }} isRequired label="Whose list" suggestions="reconciliation-sources" />
        <Suggestions id="reconciliation-sources" values={sources.length > 0 ? sources : ["DHIS2", "Ministry's public list"]} />
        <Field error={message || undefined} label="List (CSV or JSON)">
          {(control) => (
            <FileInput
              fill
              hasSelection={file !== undefined}
              inputProps={{ ...control, accept: ".csv,.json,text/csv,application/json", onChange: (event) => setFile(event.currentTarget.files?.[0]) }}
              text={file?.name ?? "Choose a file …"}
            />
          )}
        </Field>
        <TextField error={faultOf("level")} field={{ name: "level", value: level, onChange: typed(setLevel) }} help="Of organisation units; without it the deepest" inputMode="numeric" label="Level of facilities" />
      </div>
      {others.length > 0 ? (
        <ul className="import-faults" role="alert">
          {others.slice(0, mostShown).map(({ path, message: words }) => (
            <li key={`${path} ${words}`}>
              {path}: {words}
            </li>
          ))}
          {others.length > mostShown ? <li>and {others.length - mostShown} more</li> : null}
        </ul>
      ) : null}
      {percent === undefined ? null : <UploadProgress finalising="Comparing with the registry, please wait" label="Upload" percent={percent} />}
      <div className="registry-actions">
        <Button disabled={percent !== undefined} intent="primary" text="Compare" type="submit" />
      </div>
    </form>
  );
}
