import { Intent } from "@blueprintjs/core";
import { DateField } from "../ui/field/DateField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { stateOf } from "./placeWords.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

/** Closes a place or partner from a day on, or opens it again. */
export function PlaceClosingForm({ place, etag, today, onSaved, onReadAgain }: PlaceFormProps & { today: string; onSaved: (words: string) => void }) {
  const { kind, id, name, isOpen } = place;
  const { control, handleSubmit, isBusy, refusal, send } = useRegistryForm(isOpen ? { closedOn: today } : {});
  const submit = handleSubmit(async (body) => {
    const done = await send(callRegistry("POST", paths.placeAct(kind, id, isOpen ? "close" : "reopen"), isOpen ? { body, etag } : { etag }));
    if (done) onSaved(isOpen ? `${name} is closed` : `${name} is open again`);
  });
  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      {isOpen ? (
        <>
          <p className="note">
            Lists to choose from leave it out. Its history stays. {kind === "implementingPartner" ? "Facilities that it supports keep it until they are given another one." : "It must have no open facility."}
          </p>
          <div className="grid">
            <DateField control={control} isRequired label="Closed from" max={today} name="closedOn" />
          </div>
        </>
      ) : (
        <p>{stateOf(place)}.</p>
      )}
      <div className="row">
        <BusyButton intent={isOpen ? Intent.DANGER : Intent.PRIMARY} isBusy={isBusy} text={isOpen ? "Close" : "Open again"} type="submit" />
      </div>
    </form>
  );
}
