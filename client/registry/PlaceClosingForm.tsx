import { Intent } from "@blueprintjs/core";
import { useState } from "react";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { stateOf } from "./placeWords.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps } from "./registryCalls.ts";
import { useRegistryCall } from "./useRegistryCall.ts";

/** Closes a place or partner from a day on, or opens it again. */
export function PlaceClosingForm({ place, etag, today, onSaved, onReadAgain }: PlaceFormProps & { today: string; onSaved: (words: string) => void }) {
  const { kind, id, name, isOpen } = place;
  const [day, setDay] = useState(today);
  const { isBusy, isStale, faultOf, otherFault, onEdit, send } = useRegistryCall();
  const submit = async () => {
    const done = await send(() => callRegistry("POST", paths.placeAct(kind, id, isOpen ? "close" : "reopen"), isOpen ? { body: { closedOn: day }, etag } : { etag }));
    if (done) onSaved(isOpen ? `${name} is closed` : `${name} is open again`);
  };
  return (
    <form
      className="registry-form stack"
      noValidate
      onInput={onEdit}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <RefusalNote isStale={isStale} message={otherFault((path) => isOpen && path === "closedOn")} onReadAgain={onReadAgain} />
      {isOpen ? (
        <>
          <p className="note">
            Lists to choose from leave it out. Its history stays. {kind === "implementingPartner" ? "Facilities that it supports keep it until they are given another one." : "It must have no open facility."}
          </p>
          <div className="grid">
            <TextField error={faultOf("closedOn")} field={{ name: "closedOn", value: day, onChange: ({ target }: { target: unknown }) => setDay((target as HTMLInputElement).value) }} isRequired label="Closed from" max={today} type="date" />
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
