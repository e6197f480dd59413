import { Intent } from "@blueprintjs/core";
import { DateField } from "../ui/field/DateField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type RegisteredFacility } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

type ClosingFormProps = {
  facility: RegisteredFacility;
  etag: string;
  today: string;
  onSaved: (words: string) => void;
  onReadAgain: () => void;
};

/** Closes a facility from a day on, or opens it again. */
export function ClosingForm({ facility, etag, today, onSaved, onReadAgain }: ClosingFormProps) {
  const { facilityUuid, facilityName, closedOn, closeReason } = facility;
  const isOpen = closedOn === null;
  const { control, register, handleSubmit, errors, isBusy, refusal, send } = useRegistryForm(isOpen ? { closedOn: today, reason: "" } : {});
  const submit = handleSubmit(async (body) => {
    const done = await send(callRegistry("POST", paths.act(facilityUuid, isOpen ? "close" : "reopen"), isOpen ? { body, etag } : { etag }));
    if (done) onSaved(isOpen ? `${facilityName} is closed` : `${facilityName} is open again`);
  });
  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      {isOpen ? (
        <>
          <p className="note">From that day on it leaves lists, counts and expectations. Its history stays, and questions as at an earlier day count it.</p>
          <div className="grid">
            <DateField control={control} isRequired label="Closed from" max={today} name="closedOn" />
            <TextField autoComplete="off" error={errors.reason?.message} field={register("reason")} isRequired label="Reason" />
          </div>
        </>
      ) : (
        <p>
          Closed since {formatDate(closedOn)}: {closeReason}.
        </p>
      )}
      <div className="row">
        <BusyButton intent={isOpen ? Intent.DANGER : Intent.PRIMARY} isBusy={isBusy} text={isOpen ? "Close facility" : "Open again"} type="submit" />
      </div>
    </form>
  );
}
