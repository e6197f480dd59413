import {
  Button,
  Callout,
  Checkbox,
  Dialog,
  DialogBody,
  DialogFooter,
  FormGroup,
  InputGroup,
  TextArea,
} from "@blueprintjs/core";
import { type FormEvent, useState } from "react";
import type { Editors, ExplorerState } from "./explorerState.ts";
import { changeSaved, createSaved, downloadSpreadsheet } from "./savedQueries.ts";

type SaveQueryDialogProps = ExplorerState & { editors: Editors; isOpen: boolean; onClose: () => void };

/** Saves the query in the editors under a name: as a new one, or in place of the open one. */
function SaveQueryDialog({ editors, isOpen, onClose, current, setCurrent, reload, say }: SaveQueryDialogProps) {
  const [failure, setFailure] = useState("");
  const mine = current?.editable ? current : null;

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => (form.get(name) as string).trim();
    const details = { name: text("name"), description: text("description"), shared: form.has("shared") };
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    try {
      const question = editors.read();
      const isChange = mine && button?.value === "change";
      const saved = await (isChange ? changeSaved(mine.uuid, question, details) : createSaved(question, details));
      setCurrent(saved);
      say(`“${saved.name}” is saved. Its address: ${location.origin}${saved.path}`);
      onClose();
      await reload();
    } catch (error) {
      setFailure((error as Error).message);
    }
  };

  return (
    <Dialog
      canOutsideClickClose={false}
      isOpen={isOpen}
      onClose={onClose}
      onOpening={() => setFailure("")}
      title="Save query"
    >
      <form onSubmit={(event) => void save(event)}>
        <DialogBody className="stack">
          <FormGroup label="Name" labelFor="query-name">
            <InputGroup defaultValue={mine?.name} id="query-name" maxLength={128} name="name" required />
          </FormGroup>
          <FormGroup label="What it answers" labelFor="query-description">
            <TextArea
              defaultValue={mine?.description ?? ""}
              fill
              id="query-description"
              maxLength={512}
              name="description"
            />
          </FormGroup>
          <Checkbox defaultChecked={mine?.shared} label="Share with everybody who is signed in" name="shared" />
          <p>The query is kept with its variables. It runs with the rights of the person who runs it.</p>
          {failure && (
            <Callout intent="danger" role="alert">
              {failure}
            </Callout>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button onClick={onClose} text="Cancel" />
              {mine && <Button intent="primary" text="Save changes" type="submit" value="change" />}
              <Button
                intent={mine ? "none" : "primary"}
                text={mine ? "Save as new" : "Save"}
                type="submit"
                value="create"
              />
            </>
          }
        />
      </form>
    </Dialog>
  );
}

/** The actions for the query in the editor, except running it. */
export function ExplorerActions(state: ExplorerState) {
  const { say, editors } = state;
  const [isSaving, setSaving] = useState(false);
  const [isDownloading, setDownloading] = useState(false);

  const download = async (pages: "one" | "all") => {
    if (!editors) return;
    setDownloading(true);
    try {
      await downloadSpreadsheet(editors.read(), pages);
      say(`${pages === "all" ? "All pages of the answer were" : "The answer was"} saved as a spreadsheet.`);
    } catch (error) {
      say((error as Error).message, true);
    } finally {
      setDownloading(false);
    }
  };
  const isOff = !editors || isDownloading;
  return (
    <>
      <Button disabled={isOff} onClick={() => void download("one")} text="Open as spreadsheet (CSV)" />
      <Button disabled={isOff} onClick={() => void download("all")} text="All pages (CSV)" />
      <Button disabled={!editors} onClick={() => setSaving(true)} text="Save query…" />
      {editors && <SaveQueryDialog {...state} editors={editors} isOpen={isSaving} onClose={() => setSaving(false)} />}
    </>
  );
}
