import { Button, Classes, Intent } from "@blueprintjs/core";
import { useState } from "react";
import type { FormEvent } from "react";
import { graphql } from "../gql/gql.ts";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";
import type { KindName } from "./worklistKinds.ts";

const mutation = graphql(`
  mutation WorklistNoteDialog_note($input: NoteWorklistEntryInput!) {
    noteWorklistEntry(input: $input) {
      entry { snoozed snoozedUntil }
      errors { path message }
    }
  }
`);

const labels: Record<string, string> = { comment: "Note", snoozedUntil: "Snooze until" };

type NoteDialogProps = {
  kind: KindName;
  facilityUuid: string;
  facilityName: string;
  /** Until when the entry is snoozed, if it is: a note alone does not show it again. */
  snoozedUntil: string | undefined;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
};

/** Writes a note on an entry of the work list, or hides the entry until a day. */
export function WorklistNoteDialog({ kind, facilityUuid, facilityName, snoozedUntil, isOpen, onClose, onSaved }: NoteDialogProps) {
  const today = useToday();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value;
    setBusy(true);
    const { data, failure: failed } = await mutate(mutation, { input: { kind, facilityUuid, comment: text("comment"), snoozedUntil: text("snoozedUntil") || null } });
    setBusy(false);
    const [wrong] = data?.noteWorklistEntry.errors ?? [];
    setFailure(failed ?? (wrong && `${labels[wrong.path] ? `${labels[wrong.path]} ` : ""}${wrong.message}`));
    if (failed || wrong) return;
    showSuccess("The note was saved");
    onSaved();
    onClose();
  };
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Note: ${facilityName}`}>
      <form className="stack dialog-form" onSubmit={(event) => void save(event)}>
        <label>
          Note
          <textarea className={Classes.INPUT} maxLength={512} name="comment" required rows={3} />
        </label>
        <label>
          Snooze until (optional): hidden from the list until this day
          <input className={Classes.INPUT} defaultValue={snoozedUntil} min={daysAfter(today, 1)} name="snoozedUntil" type="date" />
        </label>
        {failure ? <p role="alert">{failure}</p> : null}
        <div className={Classes.DIALOG_FOOTER_ACTIONS}>
          <Button onClick={onClose} text="Close" />
          <BusyButton intent={Intent.PRIMARY} isBusy={isBusy} text="Save note" type="submit" />
        </div>
      </form>
    </ModalDialog>
  );
}
