import { DialogBody } from "@blueprintjs/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import type { CreateLedgerFeedInput } from "../gql/graphql.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { SecretNotice } from "../ui/notice/SecretNotice.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";

const mutation = graphql(`
  mutation FeedDialog_create($input: CreateLedgerFeedInput!) {
    createLedgerFeed(input: $input) {
      address
      errors { path message }
    }
  }
`);

type FeedDialogProps = {
  /** The scope, kinds and direction of the list. */
  asked: Omit<CreateLedgerFeedInput, "name">;
  /** The name that is offered. */
  name: string;
  isOpen: boolean;
  onClose: () => void;
};

/** Makes the address at which a feed reader follows the changes of a scope, and shows it this once. */
export function FeedDialog({ asked, name, isOpen, onClose }: FeedDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm({ values: { name } });
  const { errors, isSubmitting } = formState;
  const [address, setAddress] = useState<string>();
  const close = () => {
    setAddress(undefined);
    onClose();
  };
  const submit = handleSubmit(async (given) => {
    const { data, failure } = await mutate(mutation, { input: { ...asked, name: given.name } });
    const [wrong] = data?.createLedgerFeed.errors ?? [];
    if (data?.createLedgerFeed.address) setAddress(data.createLedgerFeed.address);
    else if (wrong?.path === "name") setError("name", { message: wrong.message });
    else setError("root", { message: failure ?? wrong?.message ?? "" });
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={close} title="Follow by feed">
      {address === undefined ? (
        <DialogForm
          action="Make the address"
          alert={errors.root?.message}
          isBusy={isSubmitting}
          onClose={close}
          onSubmit={submit}
        >
          <p>
            A feed reader (Atom) follows these changes by an address with a secret: it shows the newest 100 of the last
            30 days, as you may see them then. Whoever has the address can read them. You end it on your profile, under
            Access tokens.
          </p>
          <TextField
            autoComplete="off"
            error={errors.name?.message}
            field={register("name")}
            isRequired
            label="Name of the feed"
            maxLength={64}
          />
        </DialogForm>
      ) : (
        <DialogBody>
          <SecretNotice label="Address of the feed" onDone={close} secret={address}>
            Copy it now. You will not see it again. It ends when you revoke its token on your profile.
          </SecretNotice>
        </DialogBody>
      )}
    </ModalDialog>
  );
}
