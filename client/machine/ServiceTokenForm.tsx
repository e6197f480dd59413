import { Button, Intent } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { mostTokenDays } from "../../gateway/auth/account.rules.ts";
import { type NewServiceToken, newServiceTokenRules } from "../../gateway/machine/serviceAccount.rules.ts";
import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/viewer.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { TextField } from "../ui/TextField.tsx";
import { mutate } from "../urql.ts";

const createMutation = graphql(`
  mutation ServiceTokenForm_create($input: CreateServiceAccountTokenInput!) {
    createServiceAccountToken(input: $input) { accessToken { uuid } secret errors { path message } }
  }
`);

type ServiceTokenFormProps = { uuid: string; onMade: (token: { name: string; secret: string }) => void; onCancel: () => void };

/** Makes a token of a service account: it may do what its account may. */
export function ServiceTokenForm({ uuid, onMade, onCancel }: ServiceTokenFormProps) {
  const { today } = useSystem();
  const expiryDate = new Date(Date.parse(`${today}T00:00:00Z`) + 90 * 86_400_000).toISOString().slice(0, 10);
  const { register, handleSubmit, setError, formState } = useForm<NewServiceToken>({
    defaultValues: { name: "", expiryDate },
    resolver: zodResolver(newServiceTokenRules),
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (input) => {
    const { data, failure } = await mutate(createMutation, { input: { uuid, ...input } });
    const made = data?.createServiceAccountToken;
    if (made?.secret) {
      onMade({ name: input.name, secret: made.secret });
      return;
    }
    for (const { path, message } of made?.errors ?? [])
      setError(path === "name" || path === "expiryDate" ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
  });

  return (
    <form className="card machine-section" aria-label="New token" noValidate onSubmit={(event) => void submit(event)}>
      {errors.root?.message ? (
        <p className="form-alert" role="alert">
          {errors.root.message}
        </p>
      ) : null}
      <div className="machine-fields">
        <TextField label="Token name" field={register("name")} error={errors.name?.message} autoComplete="off" autoFocus />
        <TextField label="Last day" field={register("expiryDate")} type="date" error={errors.expiryDate?.message} help={`At most ${mostTokenDays} days from today`} />
      </div>
      <div className="machine-actions">
        <BusyButton intent={Intent.PRIMARY} isBusy={isSubmitting} text="Make token" type="submit" />
        <Button onClick={onCancel} text="Cancel" />
      </div>
    </form>
  );
}
