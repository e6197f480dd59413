import { type FormEvent, useEffect, useRef, useState } from "react";

import { type Editors, useExplorer } from "./explorerState.ts";
import { changeSaved, createSaved } from "./savedQueries.ts";

/** Saves the query in the editors under a name: as a new one, or in place of the open one. */
export function SaveQueryDialog({ editors, onClose }: { editors: Editors; onClose: () => void }) {
  const { current, setCurrent, reload, say } = useExplorer();
  const [failure, setFailure] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  const mine = current?.editable ? current : null;

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const details = { name: text("name"), description: text("description"), shared: form.has("shared") };
    const isChange = mine !== null && ((event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null)?.value === "change";
    try {
      const question = editors.read();
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
    <dialog ref={dialog} className="explorer-dialog" aria-labelledby="save-query-title" onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <h2 id="save-query-title">Save query</h2>
        <label>
          Name
          <input name="name" required maxLength={128} defaultValue={mine?.name ?? ""} />
        </label>
        <label>
          What it answers
          <textarea name="description" rows={2} maxLength={512} defaultValue={mine?.description ?? ""} />
        </label>
        <label className="explorer-check">
          <input type="checkbox" name="shared" defaultChecked={mine?.shared ?? false} />
          Share with everybody who is signed in
        </label>
        <p>The query is kept with its variables. It runs with the rights of the person who runs it.</p>
        {failure && <p role="alert">{failure}</p>}
        <footer>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          {mine && (
            <button type="submit" value="change" className="explorer-primary">
              Save changes
            </button>
          )}
          <button type="submit" value="create" className={mine ? undefined : "explorer-primary"}>
            {mine ? "Save as new" : "Save"}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
