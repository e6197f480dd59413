import { Intent } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { ProvinceField } from "./ProvinceField.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryCall } from "./useRegistryCall.ts";

/** Renames a province, a district or a partner; a district can be moved to another province. */
export function PlaceNameForm({ place, etag, onSaved, onReadAgain }: PlaceFormProps & { onSaved: (words: string) => void }) {
  const { isBusy, isStale, faultOf, otherFault, onEdit, send } = useRegistryCall();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: place.name, provinceId: String(place.provinceId ?? "") } });
  const isDistrict = place.kind === "district";
  const submit = handleSubmit(async ({ name, provinceId }) => {
    const { dirtyFields } = formState;
    const body = { ...(dirtyFields.name ? { name } : {}), ...(dirtyFields.provinceId ? { provinceId: Number(provinceId) } : {}) };
    const saved = await send(() => callRegistry<RegistryPlace>("PATCH", paths.place(place.kind, place.id), { body, etag }));
    if (saved) onSaved(`Saved ${saved.body.name}${saved.body.province ? `, ${saved.body.province}` : ""}`);
  });
  return (
    <form className="registry-form stack" noValidate onInput={onEdit} onSubmit={(event) => void submit(event)}>
      <RefusalNote isStale={isStale} message={otherFault((path) => path === "name" || (isDistrict && path === "provinceId"))} onReadAgain={onReadAgain} />
      <div className="grid">
        <TextField autoComplete="off" error={faultOf("name")} field={register("name")} isName isRequired label="Name" />
        {isDistrict ? <ProvinceField error={faultOf("provinceId")} field={register("provinceId")} help="Its facilities move with it." present={place} /> : null}
      </div>
      <div className="row">
        <BusyButton disabled={!formState.isDirty} intent={Intent.PRIMARY} isBusy={isBusy} text="Save changes" type="submit" />
      </div>
    </form>
  );
}
