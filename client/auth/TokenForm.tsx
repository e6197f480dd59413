import { Button, Checkbox, Classes, Intent } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import type { Privilege } from "../../gateway/access/access.rules.ts";
import { mostTokenDays, type NewToken, newTokenRules } from "../../gateway/auth/account.rules.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { SecretNotice } from "../ui/notice/SecretNotice.tsx";
import { privilegeTitles } from "./privilegeTitles.ts";

/** A token that was just made. */
export type MadeToken = { name: string; secret: string };

/**
 * The server's answer to the request of a token: its secret, what is wrong with the fields, or why there is no answer.
 */
type Answer = {
  made: { secret?: string | null | undefined; errors: readonly { path: string; message: string }[] } | undefined;
  failure: string | undefined;
};

type TokenFormProps = {
  /** The privileges that can be chosen; undefined if the token has those of its account. */
  privileges?: readonly Privilege[];
  save: (token: NewToken) => Promise<Answer>;
  onMade: (token: MadeToken) => void;
  onCancel: () => void;
};

/** Makes an access token for the signed-in person or for a service account. */
export function TokenForm({ privileges, save, onMade, onCancel }: TokenFormProps) {
  const { today } = useSystem();
  const { register, control, handleSubmit, setError, formState } = useForm<
    z.input<typeof newTokenRules>,
    unknown,
    NewToken
  >({
    defaultValues: { name: "", expiryDate: daysAfter(today, 90), privileges: [] },
    resolver: zodResolver(newTokenRules),
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (token) => {
    const { made, failure } = await save(token);
    if (made?.secret) {
      onMade({ name: token.name, secret: made.secret });
      return;
    }
    for (const { path, message } of made?.errors ?? [])
      setError(path === "name" || path === "expiryDate" ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
  });

  return (
    <form
      className={`${Classes.CARD} stack`}
      aria-label="New token"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <FormAlert message={errors.root?.message} />
      <div className="grid">
        <TextField
          label="Token name"
          field={register("name")}
          error={errors.name?.message}
          autoComplete="off"
          autoFocus
        />
        <DateField
          control={control}
          help={`At most ${mostTokenDays} days from today`}
          label="Last day"
          max={daysAfter(today, mostTokenDays)}
          min={today}
          name="expiryDate"
        />
      </div>
      {privileges ? (
        <fieldset className="grid is-close">
          <legend>Privileges</legend>
          {privileges.length === 0 ? (
            <p className="note">You have none to give: the token can read what every signed-in user can.</p>
          ) : null}
          {privileges.map((name) => (
            <Checkbox {...register("privileges")} key={name} label={privilegeTitles[name]} value={name} />
          ))}
        </fieldset>
      ) : null}
      <div className="row">
        <BusyButton intent={Intent.PRIMARY} isBusy={isSubmitting} text="Make token" type="submit" />
        <Button onClick={onCancel} text="Cancel" />
      </div>
    </form>
  );
}

/** The secret of a new token, which is shown this once. */
export function MadeTokenNotice({ token: { name, secret }, onDone }: { token: MadeToken; onDone: () => void }) {
  return (
    <SecretNotice label={`Token ${name}`} secret={secret} onDone={onDone}>
      Copy it now. You will not see it again. A program sends it in the header “Authorization: Bearer …”.
    </SecretNotice>
  );
}
