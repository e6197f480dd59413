import { Button, Checkbox, Classes, Intent } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { type ServicePrivilege, servicePrivileges } from "../../gateway/machine/serviceAccount.rules.ts";
import { privilegeTitles } from "../auth/privilegeTitles.ts";
import { graphql } from "../gql/gql.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { mutate, useScreenQuery } from "../urql.ts";

const placesQuery = graphql(`
  query ServiceAccountFormQuery {
    provinces(first: 100) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
    implementingPartners(first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

const createMutation = graphql(`
  mutation ServiceAccountForm_create($input: CreateServiceAccountInput!) {
    createServiceAccount(input: $input) { serviceAccount { uuid } errors { path message } }
  }
`);

const updateMutation = graphql(`
  mutation ServiceAccountForm_update($input: UpdateServiceAccountInput!) {
    updateServiceAccount(input: $input) { serviceAccount { uuid } errors { path message } }
  }
`);

type Fields = { name: string; owner: string; privileges: ServicePrivilege[]; limit: string };
/** The present account, if one is changed. */
type AccountToChange = Fields & { uuid: string };

/** A place or partner as one value of a choice: its kind and its id. */
function limitIn(value: string) {
  const [kind, id] = value.split(":");
  const of = (name: string) => (kind === name ? Number(id) : null);
  return { provinceId: of("province"), districtId: of("district"), implementingPartnerId: of("partner") };
}

type ServiceAccountFormProps = { account?: AccountToChange; onSaved: (uuid: string) => void; onCancel: () => void };

/** Creates a service account, or changes its privileges and limit. */
export function ServiceAccountForm({ account, onSaved, onCancel }: ServiceAccountFormProps) {
  const { data: places } = useScreenQuery(placesQuery, {});
  const { uuid, ...present } = account ?? { uuid: undefined, name: "", owner: "", privileges: [], limit: "" };
  const { register, handleSubmit, setError, formState } = useForm<Fields>({ defaultValues: present });
  const { errors, isSubmitting } = formState;

  const options = [
    { value: "", label: "Whole country" },
    ...(places?.provinces.nodes.map(({ provinceId, name }) => ({
      value: `province:${provinceId}`,
      label: `Province: ${name}`,
    })) ?? []),
    ...(places?.implementingPartners.nodes.map((one) => ({
      value: `partner:${one.implementingPartnerId}`,
      label: `Partner: ${one.implementingPartner}`,
    })) ?? []),
    ...(places?.provinces.nodes.flatMap(({ districts }) =>
      districts.nodes.map(({ districtId, name }) => ({ value: `district:${districtId}`, label: `District: ${name}` })),
    ) ?? []),
  ];

  const submit = handleSubmit(async ({ name, owner, privileges, limit }) => {
    const input = { name, owner, privileges, ...limitIn(limit) };
    const changed = uuid === undefined ? undefined : await mutate(updateMutation, { input: { uuid, ...input } });
    const made = uuid === undefined ? await mutate(createMutation, { input }) : undefined;
    const payload = changed?.data?.updateServiceAccount ?? made?.data?.createServiceAccount;
    if (payload?.serviceAccount) {
      showSuccess(uuid === undefined ? `${name} is made` : `${name} is changed`);
      onSaved(payload.serviceAccount.uuid);
      return;
    }
    for (const { path, message } of payload?.errors ?? [])
      setError(path === "name" || path === "owner" ? path : "root", { message }, { shouldFocus: true });
    const failure = changed?.failure ?? made?.failure;
    if (failure) setError("root", { message: failure });
  });

  return (
    <form
      className={`${Classes.CARD} stack`}
      aria-label={uuid === undefined ? "New service account" : "Service account"}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <FormAlert message={errors.root?.message} />
      <div className="grid">
        <TextField label="Account name" field={register("name")} error={errors.name?.message} autoComplete="off" />
        <TextField
          label="Owner"
          field={register("owner")}
          error={errors.owner?.message}
          help="User name of the person who answers for it"
          autoComplete="off"
        />
        <SelectField
          key={options.length}
          label="Limited to"
          field={register("limit")}
          options={options}
          help="Assessments and TDBs of these facilities only"
        />
      </div>
      <fieldset className="grid is-close">
        <legend>Privileges</legend>
        {servicePrivileges.map((name) => (
          <Checkbox {...register("privileges")} key={name} label={privilegeTitles[name]} value={name} />
        ))}
      </fieldset>
      <div className="row">
        <BusyButton
          intent={Intent.PRIMARY}
          isBusy={isSubmitting}
          text={uuid === undefined ? "Make account" : "Save"}
          type="submit"
        />
        <Button onClick={onCancel} text="Cancel" />
      </div>
    </form>
  );
}
