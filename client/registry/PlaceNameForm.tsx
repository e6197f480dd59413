import { Intent } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { useScreenQuery } from "../urql.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryCall } from "./useRegistryCall.ts";

const query = graphql(`
  query PlaceNameFormQuery {
    provinces(first: 100) { nodes { id provinceId name } }
  }
`);

/** Renames a province, a district or a partner; a district can be moved to another province. */
export function PlaceNameForm({ place, etag, onSaved, onReadAgain }: PlaceFormProps & { onSaved: (words: string) => void }) {
  const { data } = useScreenQuery(query, {});
  const { isBusy, isStale, faultOf, otherFault, send } = useRegistryCall();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: place.name, provinceId: String(place.provinceId ?? "") } });
  const isDistrict = place.kind === "district";
  const submit = handleSubmit(async ({ name, provinceId }) => {
    const { dirtyFields } = formState;
    const body = { ...(dirtyFields.name ? { name } : {}), ...(dirtyFields.provinceId ? { provinceId: Number(provinceId) } : {}) };
    const saved = await send(() => callRegistry<RegistryPlace>("PATCH", paths.place(place.kind, place.id), { body, etag }));
    if (saved) onSaved(`Saved ${saved.body.name}${saved.body.province ? `, ${saved.body.province}` : ""}`);
  });
  const known = data?.provinces.nodes.map(({ provinceId, name }) => ({ value: provinceId, label: name })) ?? [];
  // The present province comes first while the list is on its way, and where it is closed.
  const options = known.some(({ value }) => value === place.provinceId) ? known : [{ value: place.provinceId ?? "", label: place.province ?? "" }, ...known];
  return (
    <form className="registry-form" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote isStale={isStale} message={otherFault((path) => path === "name" || (isDistrict && path === "provinceId"))} onReadAgain={onReadAgain} />
      <div className="registry-fields">
        <TextField autoComplete="off" error={faultOf("name")} field={register("name")} isName isRequired label="Name" />
        {isDistrict ? <SelectField error={faultOf("provinceId")} field={register("provinceId")} help="Its facilities move with it." isRequired key={data ? "list" : "present"} label="Province" options={options} /> : null}
      </div>
      <div className="registry-actions">
        <BusyButton disabled={!formState.isDirty} intent={Intent.PRIMARY} isBusy={isBusy} text="Save changes" type="submit" />
      </div>
    </form>
  );
}
