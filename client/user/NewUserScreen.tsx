import { Classes, Intent } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { userForm } from "../../gateway/user/user.rules.ts";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { useViewer } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { Page } from "../ui/page/Page.tsx";
import { mutate } from "../urql.ts";
import { handOver } from "./handover.ts";
import { UserFieldsSection } from "./UserFieldsSection.tsx";
import { isUserField, userInputOf } from "./userFields.ts";
import type { UserInput, UserValues } from "./userFields.ts";

const createMutation = graphql(`
  mutation NewUserScreen_create($input: CreateUserInput!) {
    createUser(input: $input) {
      user { id uuid }
      temporaryPassword
      errors { path message }
    }
  }
`);

export const loader = guarded("manageUsers");

/** Creates a user: administrators for any partner, others for their own. */
export function NewUserScreen() {
  const { user, privileges } = useViewer();
  const navigate = useNavigate();
  const withPartner = privileges.administrator;
  const { register, handleSubmit, setError, formState } = useForm<UserInput, unknown, UserValues>({
    defaultValues: userInputOf(),
    resolver: zodResolver(userForm({ withPartner })),
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ implementingPartnerId, ...particulars }) => {
    const input = { ...particulars, ...(withPartner ? { implementingPartnerId: Number(implementingPartnerId) } : {}) };
    const { data, failure } = await mutate(createMutation, { input });
    const created = data?.createUser;
    if (created?.user && created.temporaryPassword) {
      handOver(created.user.uuid, created.temporaryPassword);
      showSuccess("Successfully created user");
      navigate(routes.user(created.user.uuid));
      return;
    }
    showError("Could not create the user");
    for (const { path, message } of created?.errors ?? [])
      setError(isUserField(path) ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
  });

  return (
    <Page
      title="Create new user"
      subtitle={withPartner ? undefined : `For ${user.implementingPartner.implementingPartner}`}
    >
      <form className={`${Classes.CARD} stack`} noValidate onSubmit={(event) => void submit(event)}>
        <FormAlert message={errors.root?.message} />
        <UserFieldsSection register={register} errors={errors} mayName mayChoosePartner={withPartner} />
        <p className="note">
          A temporary password is shown once when the user has been created. Privileges are given on the profile that
          follows.
        </p>
        <div>
          <BusyButton type="submit" intent={Intent.PRIMARY} isBusy={isSubmitting} text="Add new user" />
        </div>
      </form>
    </Page>
  );
}
