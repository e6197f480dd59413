import { useForm } from "react-hook-form";
import { maximumReason } from "../../../gateway/input/texts.rules.ts";
import { TextAreaField } from "../field/TextAreaField.tsx";
import { ModalDialog } from "../page/ModalDialog.tsx";
import { DialogForm } from "./DialogForm.tsx";

type ReasonDialogProps = {
  /** The title, which is the caption of the button too. */
  action: string;
  /** What it is about. */
  about: string;
  /** The question. */
  label: string;
  maxLength?: number;
  isOpen: boolean;
  onClose: () => void;
  /** Does it. Returns why it was refused, if it was. */
  onReason: (reason: string) => Promise<string | undefined>;
};

/** Asks for the reason of an act. */
export function ReasonDialog({
  action,
  about,
  label,
  maxLength = maximumReason,
  isOpen,
  onClose,
  onReason,
}: ReasonDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { reason: "" } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ reason }) => {
    const refusal = await onReason(reason);
    if (refusal) setError("root", { message: refusal });
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={action}>
      <DialogForm
        action={action}
        alert={errors.root?.message}
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <p>{about}</p>
        <TextAreaField
          error={errors.reason?.message}
          field={register("reason", { validate: (reason) => reason.trim() !== "" || "is required" })}
          label={label}
          maxLength={maxLength}
          rows={3}
        />
      </DialogForm>
    </ModalDialog>
  );
}
