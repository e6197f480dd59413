import { Switch } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
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
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { mutate } from "../urql.ts";
import { UserFieldsSection } from "./UserFieldsSection.tsx";
import { isUserField, userInputOf } from "./userFields.ts";
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

function SettingsForm({ user, onClose }: { user: UserSettingsDialog_UserFragment; onClose: () => void }) {
  const viewer = useViewer();
  const mayName = useMay("manageUsers");
  const { administrator } = viewer.privileges;
  const { register, handleSubmit, setError, formState } = useForm<Input, unknown, Values>({
    defaultValues: { ...userInputOf(user), administrator: user.privileges.administrator },
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
    <DialogForm
      action="Save changes"
      alert={errors.root?.message}
      isBusy={isSubmitting}
      onClose={onClose}
      onSubmit={submit}
    >
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
    </DialogForm>
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
