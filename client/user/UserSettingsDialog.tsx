import { DialogBody, Intent, Switch } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { userForm } from "../../gateway/user/user.rules.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { UserSettingsDialog_UserFragment } from "../gql/graphql.ts";
import { askSession } from "../shell/session/session.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { useMay, useViewer } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import { UserFieldsSection } from "./UserFieldsSection.tsx";
import { isUserField } from "./userFields.ts";
import type { UserInput, UserValues } from "./userFields.ts";

const fragment = graphql(`
  fragment UserSettingsDialog_User on User {
    id
    uuid
    userName
    firstName
    middleName
    surname
    gender
    bio
    primaryEmail
    secondaryEmail
    primaryPhoneNumber
    secondaryPhoneNumber
    implementingPartnerId
    implementingPartner { id implementingPartnerId implementingPartner }
    privileges { administrator }
    version
  }
`);

const updateMutation = graphql(`
  mutation UserSettingsDialog_update($input: UpdateUserInput!) {
    updateUser(input: $input) {
      user { id ...UserSettingsDialog_User ...UserDetailsSection_User }
      errors { path message }
    }
  }
`);

type Input = UserInput & { administrator: boolean };
type Values = UserValues & { administrator: boolean };

const inputOf = (user: UserSettingsDialog_UserFragment): Input => ({
  userName: user.userName,
  firstName: user.firstName,
  middleName: user.middleName ?? "",
  surname: user.surname,
  gender: user.gender,
  primaryEmail: user.primaryEmail,
  secondaryEmail: user.secondaryEmail ?? "",
  primaryPhoneNumber: user.primaryPhoneNumber,
  secondaryPhoneNumber: user.secondaryPhoneNumber ?? "",
  implementingPartnerId: String(user.implementingPartnerId),
  bio: user.bio ?? "",
  administrator: user.privileges.administrator,
});

function SettingsForm({ user, onClose }: { user: UserSettingsDialog_UserFragment; onClose: () => void }) {
  const form = useId();
  const viewer = useViewer();
  const mayName = useMay("manageUsers");
  const { administrator } = viewer.privileges;
  const { register, handleSubmit, setError, formState } = useForm<Input, unknown, Values>({
    defaultValues: inputOf(user),
    resolver: zodResolver(userForm({ withPartner: administrator }).extend({ administrator: z.boolean() })),
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ userName, implementingPartnerId, administrator: stays, ...particulars }) => {
    const input = {
      uuid: user.uuid,
      version: user.version,
      ...particulars,
      ...(mayName ? { userName } : {}),
      ...(administrator ? { implementingPartnerId: Number(implementingPartnerId) } : {}),
      ...(administrator && user.privileges.administrator && !stays ? { privileges: { administrator: false } } : {}),
    };
    const { data, failure } = await mutate(updateMutation, { input });
    if (data?.updateUser.user) {
      showSuccess("Successfully updated record");
      onClose();
      if (user.uuid === viewer.user.uuid) await askSession();
      return;
    }
    showError("Could not update the user record");
    for (const { path, message } of data?.updateUser.errors ?? [])
      setError(isUserField(path) ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
  });

  return (
    <>
      <DialogBody>
        <form className="stack" id={form} noValidate onSubmit={(event) => void submit(event)}>
          <FormAlert message={errors.root?.message} />
          <UserFieldsSection
            register={register}
            errors={errors}
            mayName={mayName}
            mayChoosePartner={administrator}
            presentPartner={user.implementingPartner}
          />
          {user.privileges.administrator ? (
            <Switch {...register("administrator")} disabled={!administrator} label="Administrator" />
          ) : null}
        </form>
      </DialogBody>
      <DialogButtons onClose={onClose}>
        <BusyButton form={form} intent={Intent.PRIMARY} isBusy={isSubmitting} text="Save changes" type="submit" />
      </DialogButtons>
    </>
  );
}

type UserSettingsDialogProps = { user: FragmentType<typeof fragment>; isOpen: boolean; onClose: () => void };

/** Changes a person's details. */
export function UserSettingsDialog({ user, isOpen, onClose }: UserSettingsDialogProps) {
  const known = readFragment(fragment, user);
  return (
    <ModalDialog className="is-wide" isOpen={isOpen} onClose={onClose} title={`${known.userName} - Settings`}>
      <SettingsForm user={known} onClose={onClose} />
    </ModalDialog>
  );
}
