import { Intent } from "@blueprintjs/core";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { ProvinceField } from "./ProvinceField.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

/** Renames a province, a district or a partner; a district can be moved to another province. */
export function PlaceNameForm({ place, etag, onSaved, onReadAgain }: PlaceFormProps & { onSaved: (words: string) => void }) {
  const isDistrict = place.kind === "district";
  const { register, handleSubmit, formState, errors, isBusy, refusal, send } = useRegistryForm<{ name: string; provinceId?: string }>({
    name: place.name,
    ...(isDistrict ? { provinceId: String(place.provinceId) } : {}),
  });
  const submit = handleSubmit(async ({ name, provinceId }) => {
    const { dirtyFields } = formState;
    const body = { ...(dirtyFields.name ? { name } : {}), ...(dirtyFields.provinceId ? { provinceId: Number(provinceId) } : {}) };
    const saved = await send(callRegistry<RegistryPlace>("PATCH", paths.place(place.kind, place.id), { body, etag }));
    if (saved) onSaved(`Saved ${saved.body.name}${saved.body.province ? `, ${saved.body.province}` : ""}`);
  });
  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <div className="grid">
        <TextField autoComplete="off" error={errors.name?.message} field={register("name")} isName isRequired label="Name" />
        {isDistrict ? <ProvinceField error={errors.provinceId?.message} field={register("provinceId")} help="Its facilities move with it." present={place} /> : null}
      </div>
      <div className="row">
        <BusyButton disabled={!formState.isDirty} intent={Intent.PRIMARY} isBusy={isBusy} text="Save changes" type="submit" />
      </div>
    </form>
  );
}
