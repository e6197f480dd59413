import { Button, Intent } from "@blueprintjs/core";
import { useFieldArray, useWatch } from "react-hook-form";
import { DateField } from "../ui/field/DateField.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, type Identifier, paths } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

type Row = { system: string; value: string; from: string; until: string };
type IdentifiersFormProps = {
  facilityUuid: string;
  identifiers: Identifier[];
  etag: string;
  systems: readonly { system: string; name: string }[];
  today: string;
  /** Takes the ETag of what is stored now; resolves when `etag` is that. */
  onSaved: (etag: string) => Promise<void>;
  onReadAgain: () => void;
};

const rowOf = ({ system, value, from, until }: Identifier): Row => ({
  system,
  value,
  from: from ?? "",
  until: until ?? "",
});

/** All identifiers of a facility, a line for each: added, ended on a day, corrected or removed. */
export function IdentifiersForm({
  facilityUuid,
  identifiers,
  etag,
  systems,
  today,
  onSaved,
  onReadAgain,
}: IdentifiersFormProps) {
  const { control, register, handleSubmit, setValue, errors, isBusy, refusal, send } = useRegistryForm<{
    identifiers: Row[];
  }>({
    identifiers: identifiers.map(rowOf),
  });
  const { fields, append, remove } = useFieldArray({ control, name: "identifiers" });
  const rows = useWatch({ control, name: "identifiers" });
  const save = handleSubmit(async ({ identifiers: typed }) => {
    const given = typed.map(({ system, value, from, until }) => ({
      system,
      value,
      from: from || null,
      until: until || null,
    }));
    const saved = await send(
      callRegistry("PUT", paths.identifiers(facilityUuid), { body: { identifiers: given }, etag }),
    );
    if (saved) await onSaved(saved.etag);
  });
  const nameOf = ({ system, value }: Row) =>
    `${systems.find((one) => one.system === system)?.name ?? system} ${value}`.trim();
  return (
    <form className="stack" noValidate onSubmit={(event) => void save(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      {fields.length === 0 ? <p className="note">No other system knows this facility.</p> : null}
      {fields.map((field, at) => {
        const row = rows[at] ?? field;
        const faults = errors.identifiers?.[at];
        return (
          <fieldset className="registry-line grid" key={field.id}>
            <legend className="visually-hidden">{`Identifier ${at + 1}: ${nameOf(row)}`}</legend>
            <SelectField
              error={faults?.system?.message}
              field={register(`identifiers.${at}.system`)}
              label="System"
              options={systems.map(({ system, name }) => ({ value: system, label: name }))}
            />
            <TextField
              autoComplete="off"
              error={faults?.value?.message}
              field={register(`identifiers.${at}.value`)}
              label="Identifier"
            />
            <DateField control={control} label="From" name={`identifiers.${at}.from`} />
            <DateField control={control} label="Until" name={`identifiers.${at}.until`} />
            <div className="row">
              {row.until === "" && row.value !== "" ? (
                <Button
                  aria-label={`End ${nameOf(row)} today`}
                  onClick={() => setValue(`identifiers.${at}.until`, today)}
                  text="End"
                />
              ) : null}
              <Button aria-label={`Remove ${nameOf(row)}`} onClick={() => remove(at)} text="Remove" />
            </div>
          </fieldset>
        );
      })}
      <div className="row">
        <Button
          onClick={() => append({ system: systems[0]?.system ?? "", value: "", from: "", until: "" })}
          text="Add identifier"
        />
        <BusyButton intent={Intent.PRIMARY} isBusy={isBusy} text="Save identifiers" type="submit" />
      </div>
    </form>
  );
}
