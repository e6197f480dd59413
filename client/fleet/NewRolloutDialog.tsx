import { Button, DialogBody, DialogFooter } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import type { ReleaseChannel } from "../gql/graphql.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { CheckField } from "../ui/field/CheckField.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate, useScreenQuery } from "../urql.ts";

const placesQuery = graphql(`
  query NewRolloutDialogQuery {
    provinces(first: 100) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
    implementingPartners(first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);
const createMutation = graphql(`
  mutation NewRolloutDialog_create($input: CreateRolloutInput!) {
    createRollout(input: $input) { rollout { uuid version } errors { path message } }
  }
`);

type Values = { version: string; channel: string; place: string; partner: string; percentage: string; facilities: string; startDay: string; leaveBehind: boolean };
const fields: Record<string, keyof Values> = {
  ...{ version: "version", channel: "channel", provinceIds: "place", districtIds: "place", implementingPartnerIds: "partner" },
  ...{ percentage: "percentage", facilityUuids: "facilities", startDay: "startDay" },
};

type NewRolloutDialogProps = { isOpen: boolean; onClose: () => void; onMade: () => void };

/** Begins a rollout: which sites shall come to which version, from when on. */
export function NewRolloutDialog({ isOpen, onClose, onMade }: NewRolloutDialogProps) {
  const { data: places } = useScreenQuery(placesQuery, {});
  const { register, handleSubmit, setError, reset, formState } = useForm<Values>({
    defaultValues: { version: "", channel: "GENERAL", place: "", partner: "", percentage: "100", facilities: "", startDay: "", leaveBehind: false },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ version, channel, place, partner, percentage, facilities, startDay, leaveBehind }) => {
    const [kind, id] = place.split(":");
    const named = facilities.split(/[\s,;]+/).filter(Boolean);
    if (startDay === "") return setError("startDay", { message: "First day is required" }, { shouldFocus: true });
    const input = {
      ...{ version, channel: channel as ReleaseChannel, percentage: Math.round(Number(percentage)) || 0, startDay, leaveBehind },
      ...{ provinceIds: kind === "province" ? [Number(id)] : [], districtIds: kind === "district" ? [Number(id)] : [] },
      ...{ implementingPartnerIds: partner === "" ? [] : [Number(partner)], facilityUuids: named.length > 0 ? named : null },
    };
    const { data, failure } = await mutate(createMutation, { input });
    for (const { path, message } of data?.createRollout.errors ?? []) setError(fields[path.split(".")[0]!] ?? "root", { message }, { shouldFocus: true });
    if (failure !== undefined) setError("root", { message: failure });
    const made = data?.createRollout.rollout;
    if (!made) return;
    showSuccess(`The rollout to ${made.version} is made`);
    reset();
    onMade();
  });
  const provinces = places?.provinces.nodes ?? [];
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title="New rollout">
      <form noValidate onSubmit={(event) => void submit(event)}>
        <DialogBody>
          <TextField error={errors.version?.message} field={register("version")} help="That the sites shall come to; files with a version must lead there" label="Version" />
          <TextField error={errors.startDay?.message} field={register("startDay")} label="First day" type="date" />
          <SelectField
            error={errors.place?.message}
            field={register("place")}
            label="Place"
            none="Whole country"
            options={[
              ...provinces.map(({ provinceId, name }) => ({ value: `province:${provinceId}`, label: `Province: ${name}` })),
              ...provinces.flatMap(({ districts }) => districts.nodes.map(({ districtId, name }) => ({ value: `district:${districtId}`, label: `District: ${name}` }))),
            ]}
          />
          <SelectField
            error={errors.partner?.message}
            field={register("partner")}
            label="Implementing partner"
            none="All"
            options={places?.implementingPartners.nodes.map((one) => ({ value: one.implementingPartnerId, label: one.implementingPartner })) ?? []}
          />
          <TextField error={errors.percentage?.message} field={register("percentage")} help="Of these sites, in percent: always the same ones; a larger share has those of a smaller one" inputMode="numeric" label="Share" />
          <TextAreaField error={errors.facilities?.message} field={register("facilities")} help="Their uuids, one a line; empty: all of the above" label="Only these facilities" />
          <SelectField
            error={errors.channel?.message}
            field={register("channel")}
            label="Channel"
            options={[
              { value: "GENERAL", label: "General" },
              { value: "PILOT", label: "Pilot: by pilot files too" },
            ]}
          />
          <CheckField field={register("leaveBehind")} label="Leave sites behind that no path leads from" />
          <FormAlert message={errors.root?.message} />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button onClick={onClose} text="Close" />
              <BusyButton intent="primary" isBusy={isSubmitting} text="Begin rollout" type="submit" />
            </>
          }
        />
      </form>
    </ModalDialog>
  );
}
