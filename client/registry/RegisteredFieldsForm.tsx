import { HTMLSelect, Intent } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { byField, fieldNames, type FieldName } from "../../db/facility/facilityFields.rules.ts";
import { EditableField } from "../facility/EditableField.tsx";
import { typedValue } from "../facility/facilityFields.ts";
import { graphql } from "../gql/gql.ts";
import { Field } from "../ui/field/Field.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { useScreenQuery } from "../urql.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import type { Answer, RegisteredFacility } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

const query = graphql(`
  query RegisteredFieldsFormQuery {
    provinces(first: 100) { nodes { id name districts(first: 100) { nodes { id districtId name } } } }
  }
`);

type Values = { facilityName: string; districtId: string } & Record<FieldName, string>;
type Name = keyof Values;
type Given = Record<string, string | number | null>;

function valueOf(name: Name, typed: string): string | number | null {
  if (name === "facilityName") return typed.trim();
  return name === "districtId" ? Number(typed) : typedValue(name, typed);
}

type DistrictFieldProps = {
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  /** The chosen district, shown until the list has arrived. */
  present?: { districtId: number; district: string };
  error: string | undefined;
};

/** A choice of a district, by province. */
function DistrictField({ field, present, error }: DistrictFieldProps) {
  const { data, error: failure } = useScreenQuery(query, {});
  const { ref, ...events } = field;
  return (
    <Field
      error={error}
      help={failure && !data ? "The list of districts cannot be had now. Open this page again in a moment." : undefined}
      isRequired
      label="District"
    >
      {(control) => (
        // Rendered again when the list arrives: only then the earlier choice is one of the options.
        <HTMLSelect {...events} {...control} fill key={data ? "list" : "present"} ref={ref}>
          <option value="">Choose a district</option>
          {data
            ? data.provinces.nodes.map((province) => (
                <optgroup key={province.id} label={province.name}>
                  {province.districts.nodes.map(({ id, districtId, name }) => (
                    <option key={id} value={districtId}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              ))
            : present && <option value={present.districtId}>{present.district}</option>}
        </HTMLSelect>
      )}
    </Field>
  );
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

/**
 * The name, place and plain fields of a facility in the registry. The codes of a present facility are edited with its
 * identifiers.
 */
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
    const changed = shown.filter((name) =>
      facility ? dirtyFields[name] : name === "facilityName" || values[name].trim() !== "",
    );
    const saved = await send(onSave(Object.fromEntries(changed.map((name) => [name, valueOf(name, values[name])]))));
    if (!saved) return;
    reset(values);
    onSaved(saved);
  });

  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <div className="grid">
        <TextField
          autoComplete="off"
          error={errors.facilityName?.message}
          field={register("facilityName", { validate: (text) => text.trim() !== "" || "is required" })}
          isName
          isRequired
          label="Facility name"
        />
        <DistrictField
          error={errors.districtId?.message}
          field={register("districtId", { required: "is required" })}
          {...(facility ? { present: facility } : {})}
        />
        {names.map((name) => (
          <EditableField error={errors[name]?.message} field={register(name)} key={name} name={name} />
        ))}
      </div>
      <div className="row">
        <BusyButton
          disabled={facility && !Object.values(dirtyFields).some(Boolean)}
          intent={Intent.PRIMARY}
          isBusy={isBusy}
          text={action}
          type="submit"
        />
      </div>
    </form>
  );
}
