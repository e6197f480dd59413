import { Checkbox } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { channelLabels, partLabels } from "../../gateway/download/release.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { DownloadPart, DownloadsTable_DownloadFragment, ReleaseChannel } from "../gql/graphql.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";

const setMutation = graphql(`
  mutation ReleaseDialog_set($input: SetDownloadReleaseInput!) {
    setDownloadRelease(input: $input) { download { id } errors { path message } }
  }
`);

const texts = ["version", "appliesFrom", "appliesTo", "requiredSince"] as const;
type Values = Record<(typeof texts)[number], string> & { library: boolean; database: boolean; channel: string };
const names = ["version", "appliesFrom", "appliesTo", "requiredSince", "channel"] as const;

type ReleaseDialogProps = { file: DownloadsTable_DownloadFragment; onChange: () => void; onClose: () => void };

/** Sets to which version a file updates a site, and from which versions. */
export function ReleaseDialog({ file, onChange, onClose }: ReleaseDialogProps) {
  const { id, name, version, installs, appliesFrom, appliesTo, channel, requiredSince } = file;
  const { register, control, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: {
      version: version ?? "",
      library: version === null || installs.includes("LIBRARY"),
      database: installs.includes("DATABASE"),
      appliesFrom: appliesFrom ?? "",
      appliesTo: appliesTo ?? "",
      channel,
      requiredSince: requiredSince ?? "",
    },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (values) => {
    const text = (key: (typeof texts)[number]) => values[key].trim() || null;
    const parts = [
      ...(values.library ? ["LIBRARY" as const] : []),
      ...(values.database ? ["DATABASE" as const] : []),
    ] as DownloadPart[];
    const isNone = text("version") === null;
    const input = {
      ...{
        id,
        version: text("version"),
        installs: isNone ? [] : parts,
        appliesFrom: text("appliesFrom"),
        appliesTo: text("appliesTo"),
      },
      ...{ channel: values.channel as ReleaseChannel, requiredSince: text("requiredSince") },
    };
    const { data, failure } = await mutate(setMutation, { input });
    const wrong = data?.setDownloadRelease.errors ?? [];
    for (const { path, message } of wrong) {
      const field = names.find((each) => each === path);
      setError(
        field ?? "root",
        { message: field ? message : path.startsWith("installs") ? `What it installs ${message}` : message },
        { shouldFocus: true },
      );
    }
    if (failure !== undefined) setError("root", { message: failure });
    if (failure !== undefined || wrong.length > 0) return;
    showSuccess(isNone ? `${name} belongs to no release` : `${name} is version ${input.version}`);
    onChange();
    onClose();
  });
  return (
    <ModalDialog isOpen onClose={onClose} title={`Version of ${name}`}>
      <DialogForm action="Save" isBusy={isSubmitting} onClose={onClose} onSubmit={submit}>
        <TextField
          error={errors.version?.message}
          field={register("version")}
          help="That a site runs after it, such as 4.10.2. Without one the file belongs to no release."
          label="Version"
        />
        <fieldset className="grid is-close">
          <legend>Installs</legend>
          <Checkbox {...register("library")} label={partLabels.library} />
          <Checkbox {...register("database")} label={partLabels.database} />
        </fieldset>
        <TextField
          error={errors.appliesFrom?.message}
          field={register("appliesFrom")}
          help="The oldest version that it can be applied to; empty: any"
          label="Applies from"
        />
        <TextField
          error={errors.appliesTo?.message}
          field={register("appliesTo")}
          help="The newest one; empty: any older than its own"
          label="Applies to"
        />
        <SelectField
          error={errors.channel?.message}
          field={register("channel")}
          help="Pilot files are only for rollouts of the pilot channel"
          label="Channel"
          options={[
            { value: "GENERAL", label: channelLabels.general },
            { value: "PILOT", label: channelLabels.pilot },
          ]}
        />
        <DateField
          control={control}
          help="Since this day older versions count as old"
          label="Required since"
          name="requiredSince"
        />
        <FormAlert message={errors.root?.message} />
      </DialogForm>
    </ModalDialog>
  );
}
