import { useForm } from "react-hook-form";
import { actionLimits } from "../../gateway/assessment/visitActions.rules.ts";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";

type DropActionDialogProps = {
  /** What was agreed. */
  text: string;
  isOpen: boolean;
  onClose: () => void;
  /** Drops it. Returns why it was refused, if it was. */
  onDrop: (reason: string) => Promise<string | undefined>;
};

/** Asks why an action is not to be done any more. */
export function DropActionDialog({ text, isOpen, onClose, onDrop }: DropActionDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { reason: "" } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ reason }) => {
    const refusal = await onDrop(reason);
    if (refusal) setError("root", { message: refusal });
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title="Drop action">
      <DialogForm
        action="Drop action"
        alert={errors.root?.message}
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <p>{text}</p>
        <TextAreaField
          error={errors.reason?.message}
          field={register("reason", { validate: (reason) => reason.trim() !== "" || "is required" })}
          label="Why it is not to be done any more"
          maxLength={actionLimits.reason}
          rows={3}
        />
      </DialogForm>
    </ModalDialog>
  );
}
