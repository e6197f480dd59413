import { Button, DialogBody } from "@blueprintjs/core";
import { type FormEvent, useState } from "react";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { RolloutState } from "../gql/graphql.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";

const fragment = graphql(`
  fragment RolloutControls_Rollout on Rollout { uuid version state percentage }
`);
const changeMutation = graphql(`
  mutation RolloutControls_change($input: ChangeRolloutInput!) {
    changeRollout(input: $input) { rollout { uuid state percentage } errors { path message } }
  }
`);

/**
 * Pauses, resumes and ends a rollout, and changes its share of the sites. One that has not begun can only be changed or
 * ended.
 */
export function RolloutControls({
  rollout,
  onChange,
}: {
  rollout: FragmentType<typeof fragment>;
  onChange: () => void;
}) {
  const { uuid, version, state, percentage } = readFragment(fragment, rollout);
  const [open, setOpen] = useState<"share" | "end">();
  const [share, setShare] = useState("");
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = async (input: { state?: RolloutState; percentage?: number }, done: string) => {
    setBusy(true);
    const { data, failure } = await mutate(changeMutation, { input: { uuid, ...input } });
    setBusy(false);
    const wrong = data?.changeRollout.errors[0];
    if (wrong?.path === "percentage") return setFault(wrong.message);
    const problem = failure ?? wrong?.message;
    if (problem !== undefined) return showError(problem);
    showSuccess(`The rollout to ${version} ${done}`);
    setOpen(undefined);
    onChange();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const percent = Math.round(Number(share)) || 0;
    void change({ percentage: percent }, `is for ${percent} % of its sites`);
  };
  const close = () => setOpen(undefined);
  return (
    <span className="row">
      {state === "RUNNING" ? (
        <Button
          aria-label={`Pause the rollout to ${version}`}
          onClick={() => void change({ state: "PAUSED" }, "is paused")}
          text="Pause"
        />
      ) : null}
      {state === "PAUSED" ? (
        <Button
          aria-label={`Resume the rollout to ${version}`}
          onClick={() => void change({ state: "RUNNING" }, "goes on")}
          text="Resume"
        />
      ) : null}
      <Button
        aria-label={`Change the share of the rollout to ${version}`}
        onClick={() => {
          setShare(String(percentage));
          setFault(undefined);
          setOpen("share");
        }}
        text="Share"
      />
      <Button
        aria-label={`End the rollout to ${version}`}
        onClick={() => setOpen("end")}
        text="End"
        variant="minimal"
      />
      <ModalDialog isOpen={open === "share"} onClose={close} title="Share of the sites">
        <DialogForm action="Change share" closing="Cancel" isBusy={isBusy} onClose={close} onSubmit={submit}>
          <TextField
            error={fault}
            field={{ name: "share", value: share, onChange: ({ currentTarget }) => setShare(currentTarget.value) }}
            help="In percent: a larger share has all sites of a smaller one"
            inputMode="numeric"
            label="Share"
          />
        </DialogForm>
      </ModalDialog>
      <ModalDialog isOpen={open === "end"} onClose={close} title="End rollout">
        <DialogBody>
          <p>Sites get no more updates from the rollout to {version}. It cannot be started again.</p>
        </DialogBody>
        <DialogButtons onClose={close}>
          <BusyButton
            intent="danger"
            isBusy={isBusy}
            onClick={() => void change({ state: "ENDED" }, "has ended")}
            text="End rollout"
          />
        </DialogButtons>
      </ModalDialog>
    </span>
  );
}
