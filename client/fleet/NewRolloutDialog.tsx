import { Checkbox } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import type { ReleaseChannel } from "../gql/graphql.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import { usePlaces } from "./usePlaces.ts";

const createMutation = graphql(`
  mutation NewRolloutDialog_create($input: CreateRolloutInput!) {
    createRollout(input: $input) { rollout { uuid version } errors { path message } }
  }
`);

type Values = {
  version: string;
  channel: string;
  provinceIds: string[];
  districtIds: string[];
  implementingPartnerIds: string[];
  percentage: string;
  facilities: string;
  startDay: string;
  leaveBehind: boolean;
};
const fields: Record<string, keyof Values> = {
  ...{
    version: "version",
    channel: "channel",
    provinceIds: "provinceIds",
    districtIds: "provinceIds",
    implementingPartnerIds: "implementingPartnerIds",
  },
  ...{ percentage: "percentage", facilityUuids: "facilities", startDay: "startDay" },
};

type NewRolloutDialogProps = { isOpen: boolean; onClose: () => void; onMade: () => void };

/** Creates a rollout: which sites get which version, and from when on. */
export function NewRolloutDialog({ isOpen, onClose, onMade }: NewRolloutDialogProps) {
  const { provinces, partners } = usePlaces();
  const { register, control, handleSubmit, setError, reset, formState } = useForm<Values>({
    defaultValues: {
      version: "",
      channel: "GENERAL",
      provinceIds: [],
      districtIds: [],
      implementingPartnerIds: [],
      percentage: "100",
      facilities: "",
      startDay: "",
      leaveBehind: false,
    },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(
    async ({
      version,
      channel,
      provinceIds,
      districtIds,
      implementingPartnerIds,
      percentage,
      facilities,
      startDay,
      leaveBehind,
    }) => {
      const named = facilities.split(/[\s,;]+/).filter(Boolean);
      const isNameless = version.trim() === "";
      if (isNameless) setError("version", { message: "Version is required" }, { shouldFocus: true });
      if (startDay === "") setError("startDay", { message: "First day is required" }, { shouldFocus: !isNameless });
      if (isNameless || startDay === "") return;
      const input = {
        ...{
          version,
          channel: channel as ReleaseChannel,
          percentage: Math.round(Number(percentage)) || 0,
          startDay,
          leaveBehind,
        },
        ...{
          provinceIds: provinceIds.map(Number),
          districtIds: districtIds.map(Number),
          implementingPartnerIds: implementingPartnerIds.map(Number),
        },
        facilityUuids: named.length > 0 ? named : null,
      };
      const { data, failure } = await mutate(createMutation, { input });
      for (const { path, message } of data?.createRollout.errors ?? [])
        setError(fields[path.split(".")[0]!] ?? "root", { message }, { shouldFocus: true });
      if (failure !== undefined) setError("root", { message: failure });
      const made = data?.createRollout.rollout;
      if (!made) return;
      showSuccess(`The rollout to ${made.version} is made`);
      reset();
      onMade();
    },
  );
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title="New rollout">
      <DialogForm action="Begin rollout" isBusy={isSubmitting} onClose={onClose} onSubmit={submit}>
        <TextField
          error={errors.version?.message}
          field={register("version")}
          help="The target version of the sites; files with a version must lead to it"
          label="Version"
        />
        <DateField control={control} label="First day" name="startDay" />
        <fieldset>
          <legend>Places (leave empty for the whole country)</legend>
          <div className="is-scrolling">
            {provinces.map(({ id, name, districts }) => (
              <details key={id}>
                <summary>{name}</summary>
                <Checkbox {...register("provinceIds")} label={`All of ${name}`} value={id} />
                {districts.map((district) => (
                  <Checkbox {...register("districtIds")} key={district.id} label={district.name} value={district.id} />
                ))}
              </details>
            ))}
          </div>
        </fieldset>
        <FormAlert message={errors.provinceIds?.message} />
        <fieldset>
          <legend>Partners (leave empty for all)</legend>
          <div className="is-scrolling">
            {partners.map(({ id, name }) => (
              <Checkbox {...register("implementingPartnerIds")} key={id} label={name} value={id} />
            ))}
          </div>
        </fieldset>
        <FormAlert message={errors.implementingPartnerIds?.message} />
        <TextField
          error={errors.percentage?.message}
          field={register("percentage")}
          help="Of these sites, in percent: always the same ones; a larger share has those of a smaller one"
          inputMode="numeric"
          label="Share"
        />
        <TextAreaField
          error={errors.facilities?.message}
          field={register("facilities")}
          help="Their uuids, one a line; empty: all of the above"
          label="Only these facilities"
        />
        <SelectField
          error={errors.channel?.message}
          field={register("channel")}
          label="Channel"
          options={[
            { value: "GENERAL", label: "General" },
            { value: "PILOT", label: "Pilot: by pilot files too" },
          ]}
        />
        <Checkbox {...register("leaveBehind")} label="Leave sites behind that no path leads from" />
        <FormAlert message={errors.root?.message} />
      </DialogForm>
    </ModalDialog>
  );
}
