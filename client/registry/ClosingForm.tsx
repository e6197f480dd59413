import { Intent } from "@blueprintjs/core";
import { useState } from "react";
import { formatDate } from "../ui/text/dates.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type RegisteredFacility } from "./registryCalls.ts";
import { useRegistryCall } from "./useRegistryCall.ts";

type ClosingFormProps = {
  facility: RegisteredFacility;
  etag: string;
  today: string;
  onSaved: (words: string) => void;
  onReadAgain: () => void;
};

const textOf = (event: { target: unknown }) => (event.target as HTMLInputElement).value;

/** Closes a facility from a day on, or opens it again. */
export function ClosingForm({ facility, etag, today, onSaved, onReadAgain }: ClosingFormProps) {
  const { facilityUuid, facilityName, closedOn, closeReason } = facility;
  const [day, setDay] = useState(today);
  const [reason, setReason] = useState("");
  const { isBusy, isStale, faultOf, otherFault, onEdit, send } = useRegistryCall();
  const submit = async () => {
    const done = await send(() =>
      closedOn === null
        ? callRegistry("POST", paths.act(facilityUuid, "close"), { body: { closedOn: day, reason }, etag })
        : callRegistry("POST", paths.act(facilityUuid, "reopen"), { etag }),
    );
    if (done) onSaved(closedOn === null ? `${facilityName} is closed` : `${facilityName} is open again`);
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
      <RefusalNote isStale={isStale} message={otherFault((path) => closedOn === null && (path === "closedOn" || path === "reason"))} onReadAgain={onReadAgain} />
      {closedOn === null ? (
        <>
          <p className="note">From that day on it leaves lists, counts and expectations. Its history stays, and questions as at an earlier day count it.</p>
          <div className="grid">
            <TextField error={faultOf("closedOn")} field={{ name: "closedOn", value: day, onChange: (event: { target: unknown }) => setDay(textOf(event)) }} isRequired label="Closed from" max={today} type="date" />
            <TextField autoComplete="off" error={faultOf("reason")} field={{ name: "reason", value: reason, onChange: (event: { target: unknown }) => setReason(textOf(event)) }} isRequired label="Reason" />
          </div>
        </>
      ) : (
        <p>
          Closed since {formatDate(closedOn)}: {closeReason}.
        </p>
      )}
      <div className="row">
        <BusyButton intent={closedOn === null ? Intent.DANGER : Intent.PRIMARY} isBusy={isBusy} text={closedOn === null ? "Close facility" : "Open again"} type="submit" />
      </div>
    </form>
  );
}
