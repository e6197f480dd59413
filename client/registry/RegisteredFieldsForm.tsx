import { Intent } from "@blueprintjs/core";
import { byField, facilityFields, fieldNames, type FieldName } from "../../db/facilityFields.rules.ts";
import { EditableField } from "../facility/EditableField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { DistrictField } from "./DistrictField.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import type { Answer, RegisteredFacility } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

type Values = { facilityName: string; districtId: string } & Record<FieldName, string>;
type Name = keyof Values;
type Given = Record<string, string | number | null>;

/** The value that was typed for a field. A text that is no number stays a text, so that the server refuses it for that field. */
function valueOf(name: Name, typed: string): string | number | null {
  const text = typed.trim();
  if (name === "facilityName") return text;
  if (text === "") return null;
  const isNumber = name === "districtId" || ["count", "degrees"].includes(facilityFields[name].type);
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

type RegisteredFieldsFormProps = {
  /** The present facility; undefined for a new one. */
  facility?: RegisteredFacility;
  /** The caption of the button. */
  action: string;
  /** Saves the given values; for a present facility only those that differ. */
  onSave: (given: Given) => Promise<Answer<RegisteredFacility>>;
  onSaved: (saved: { body: RegisteredFacility; etag: string }) => void;
  onReadAgain: () => void;
};

/** The name, place and plain fields of a facility in the registry. The codes of a present facility are edited with its identifiers. */
export function RegisteredFieldsForm({ facility, action, onSave, onSaved, onReadAgain }: RegisteredFieldsFormProps) {
  const names = fieldNames.filter((name) => !facility || (name !== "hmisCode" && name !== "oldHmisCode"));
  const { register, handleSubmit, reset, formState, errors, isBusy, refusal, send } = useRegistryForm<Values>({
    facilityName: facility?.facilityName ?? "",
    districtId: String(facility?.districtId ?? ""),
    ...byField(fieldNames, (name) => String(facility?.[name] ?? "")),
  });
  const { dirtyFields } = formState;
  const shown: readonly Name[] = ["facilityName", "districtId", ...names];

  const submit = handleSubmit(async (values) => {
    const changed = shown.filter((name) => (facility ? dirtyFields[name] : name === "facilityName" || values[name].trim() !== ""));
    const saved = await send(onSave(Object.fromEntries(changed.map((name) => [name, valueOf(name, values[name])]))));
    if (!saved) return;
    reset(values);
    onSaved(saved);
  });

  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <div className="grid">
        <TextField autoComplete="off" error={errors.facilityName?.message} field={register("facilityName", { validate: (text) => text.trim() !== "" || "is required" })} isName isRequired label="Facility name" />
        <DistrictField error={errors.districtId?.message} field={register("districtId", { required: "is required" })} {...(facility ? { present: facility } : {})} />
        {names.map((name) => (
          <EditableField error={errors[name]?.message} field={register(name)} key={name} name={name} />
        ))}
      </div>
      <div className="row">
        <BusyButton disabled={facility && !Object.values(dirtyFields).some(Boolean)} intent={Intent.PRIMARY} isBusy={isBusy} text={action} type="submit" />
      </div>
    </form>
  );
}
