import { Intent } from "@blueprintjs/core";
import { DateField } from "../ui/field/DateField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

type ClosingFormProps = {
  name: string;
  isOpen: boolean;
  /** What closing does. */
  note: string;
  /** Since when it is closed. */
  state: string;
  /** The caption of the button that closes. */
  action: string;
  /** Whether a reason belongs to it. */
  hasReason?: boolean;
  pathOf: (act: "close" | "reopen") => string;
  etag: string;
  today: string;
  onSaved: (words: string) => void;
  onReadAgain: () => void;
};

/** Closes a facility, a place or a partner from a day on, or opens it again. */
export function ClosingForm({
  name,
  isOpen,
  note,
  state,
  action,
  hasReason,
  pathOf,
  etag,
  today,
  onSaved,
  onReadAgain,
}: ClosingFormProps) {
  const { control, register, handleSubmit, errors, isBusy, refusal, send } = useRegistryForm<{
    closedOn?: string;
    reason?: string;
  }>(isOpen ? { closedOn: today, ...(hasReason ? { reason: "" } : {}) } : {});
  const submit = handleSubmit(async (body) => {
    const done = await send(
      callRegistry("POST", pathOf(isOpen ? "close" : "reopen"), isOpen ? { body, etag } : { etag }),
    );
    if (done) onSaved(isOpen ? `${name} is closed` : `${name} is open again`);
  });
  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      {isOpen ? (
        <>
          <p className="note">{note}</p>
          <div className="grid">
            <DateField control={control} isRequired label="Closed from" max={today} name="closedOn" />
            {hasReason ? (
              <TextField
                autoComplete="off"
                error={errors.reason?.message}
                field={register("reason")}
                isRequired
                label="Reason"
              />
            ) : null}
          </div>
        </>
      ) : (
        <p>{state}.</p>
      )}
      <div className="row">
        <BusyButton
          intent={isOpen ? Intent.DANGER : Intent.PRIMARY}
          isBusy={isBusy}
          text={isOpen ? action : "Open again"}
          type="submit"
        />
      </div>
    </form>
  );
}
