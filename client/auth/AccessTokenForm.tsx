import { Button, Checkbox, Intent } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { privilegeNames } from "../../gateway/access/access.rules.ts";
import { mostTokenDays, newTokenRules } from "../../gateway/auth/account.rules.ts";
import { graphql } from "../gql/gql.ts";
import { useSystem, useViewer } from "../shell/viewer.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { TextField } from "../ui/TextField.tsx";
import { mutate } from "../urql.ts";
import { privilegeTitles } from "./privilegeTitles.ts";
import "./AccessTokenForm.css";

const createMutation = graphql(`
  mutation AccessTokenForm_create($input: CreateAccessTokenInput!) {
    createAccessToken(input: $input) { accessToken { uuid name } secret errors { path message } }
  }
`);

type Fields = z.input<typeof newTokenRules>;
type Values = z.output<typeof newTokenRules>;

/** A day some days after another, YYYY-MM-DD. */
function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

type AccessTokenFormProps = { onMade: (token: { name: string; secret: string }) => void; onCancel: () => void };

/** Makes an access token that may do as much as its owner, or less. */
export function AccessTokenForm({ onMade, onCancel }: AccessTokenFormProps) {
  const { privileges } = useViewer();
  const { today } = useSystem();
  const { register, handleSubmit, setError, formState } = useForm<Fields, unknown, Values>({
    defaultValues: { name: "", expiryDate: daysAfter(today, 90), privileges: [] },
    resolver: zodResolver(newTokenRules),
  });
  const { errors, isSubmitting } = formState;
  const own = privilegeNames.filter((name) => privileges.administrator || privileges[name]);

  const submit = handleSubmit(async (input) => {
    const { data, failure } = await mutate(createMutation, { input });
    const made = data?.createAccessToken;
    if (made?.secret) {
      onMade({ name: input.name, secret: made.secret });
      return;
    }
    for (const { path, message } of made?.errors ?? [])
      setError(path === "name" || path === "expiryDate" ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
  });

  return (
    <form className="card user-section" aria-label="New token" noValidate onSubmit={(event) => void submit(event)}>
      {errors.root?.message ? (
        <p className="form-alert" role="alert">
          {errors.root.message}
        </p>
      ) : null}
      <div className="token-fields">
        <TextField label="Token name" field={register("name")} error={errors.name?.message} autoComplete="off" autoFocus />
        <TextField
          label="Last day"
          field={register("expiryDate")}
          type="date"
          error={errors.expiryDate?.message}
          help={`At most ${mostTokenDays} days from today`}
        />
      </div>
      <fieldset className="token-privileges">
        <legend>Privileges</legend>
        {own.length === 0 ? <p className="user-note">You have none to give: the token can read what every signed-in user can.</p> : null}
        {own.map((name) => (
          <Checkbox {...register("privileges")} key={name} label={privilegeTitles[name]} value={name} />
        ))}
      </fieldset>
      <div className="user-actions">
        <BusyButton intent={Intent.PRIMARY} isBusy={isSubmitting} text="Make token" type="submit" />
        <Button onClick={onCancel} text="Cancel" />
      </div>
    </form>
  );
}
