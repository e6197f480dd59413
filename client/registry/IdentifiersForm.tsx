import { Button, HTMLSelect, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { Field } from "../ui/field/Field.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, type Identifier, paths } from "./registryCalls.ts";
import { useRegistryCall } from "./useRegistryCall.ts";

type Row = { key: number; system: string; value: string; from: string; until: string };
type IdentifiersFormProps = {
  facilityUuid: string;
  identifiers: Identifier[];
  etag: string;
  systems: readonly { system: string; name: string }[];
  today: string;
  onSaved: () => void;
  onReadAgain: () => void;
};

let lastKey = 0;
const rowOf = ({ system, value, from, until }: Identifier): Row => ({ key: (lastKey += 1), system, value, from: from ?? "", until: until ?? "" });
const textOf = (event: { target: unknown }) => (event.target as HTMLInputElement).value;

/** All identifiers of a facility, a line for each: added, ended on a day, corrected or removed. */
export function IdentifiersForm({ facilityUuid, identifiers, etag, systems, today, onSaved, onReadAgain }: IdentifiersFormProps) {
  const [rows, setRows] = useState(() => identifiers.map(rowOf));
  const { isBusy, isStale, faultOf, otherFault, onEdit, refuse, send } = useRegistryCall();
  const change = (key: number, part: Partial<Row>) => setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const save = async () => {
    const given = rows.map(({ system, value, from, until }) => ({ system, value, from: from || null, until: until || null }));
    if (await send(() => callRegistry("PUT", paths.identifiers(facilityUuid), { body: { identifiers: given }, etag }))) onSaved();
  };
  const nameOf = (row: Row) => `${systems.find(({ system }) => system === row.system)?.name ?? row.system} ${row.value}`.trim();
  return (
    <form
      className="registry-form stack"
      noValidate
      onInput={onEdit}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <RefusalNote isStale={isStale} message={otherFault((path) => /^identifiers\.\d+\.(system|value|from|until)$/.test(path))} onReadAgain={onReadAgain} />
      {rows.length === 0 ? <p className="note">No other system knows this facility.</p> : null}
      {rows.map((row, at) => {
        const pathOf = (name: string) => `identifiers.${at}.${name}`;
        const fault = (name: string) => faultOf(pathOf(name));
        const field = (name: "value" | "from" | "until") => ({ name: pathOf(name), value: row[name], onChange: (event: { target: unknown }) => change(row.key, { [name]: textOf(event) }) });
        return (
          <fieldset className="registry-line grid plain" key={row.key}>
            <legend className="visually-hidden">{`Identifier ${at + 1}: ${nameOf(row)}`}</legend>
            <Field error={fault("system")} label="System">
              {(control) => (
                <HTMLSelect {...control} fill name={pathOf("system")} onChange={(event) => change(row.key, { system: textOf(event) })} options={systems.map(({ system, name }) => ({ value: system, label: name }))} value={row.system} />
              )}
            </Field>
            <TextField autoComplete="off" error={fault("value")} field={field("value")} label="Identifier" />
            <TextField error={fault("from")} field={field("from")} label="From" type="date" />
            <TextField error={fault("until")} field={field("until")} label="Until" type="date" />
            <div className="row registry-line-actions">
              {row.until === "" && row.value !== "" ? <Button aria-label={`End ${nameOf(row)} today`} onClick={() => change(row.key, { until: today })} text="End" /> : null}
              <Button
                aria-label={`Remove ${nameOf(row)}`}
                onClick={() => {
                  refuse(undefined);
                  setRows(rows.filter(({ key }) => key !== row.key));
                }}
                text="Remove"
              />
            </div>
          </fieldset>
        );
      })}
      <div className="row">
        <Button onClick={() => setRows([...rows, rowOf({ system: systems[0]?.system ?? "", value: "", from: null, until: null })])} text="Add identifier" />
        <BusyButton intent={Intent.PRIMARY} isBusy={isBusy} text="Save identifiers" type="submit" />
      </div>
    </form>
  );
}
