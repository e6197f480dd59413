import { Button, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { placeNames } from "./placeWords.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

/** Removes a place or partner on which nothing depends, for example a misspelt one. A refusal says what depends on it. */
export function PlaceRemovalForm({ place, etag, onRemoved, onReadAgain }: PlaceFormProps & { onRemoved: () => void }) {
  const { kind, id, name } = place;
  const [isAsked, setAsked] = useState(false);
  const { handleSubmit, isBusy, refusal, send } = useRegistryForm({});
  const remove = handleSubmit(async () => {
    const done = await send(callRegistry("DELETE", paths.place(kind, id), { etag }));
    setAsked(false);
    if (done) onRemoved();
  });
  return (
    <div className="stack">
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <p className="note">Only a {placeNames[kind].one} that nothing depends on can be removed. What was once in use is closed instead.</p>
      <div className="row">
        <Button intent={Intent.DANGER} onClick={() => setAsked(true)} text={`Remove ${placeNames[kind].one}`} />
      </div>
      <QuestionDialog intent={Intent.DANGER} isBusy={isBusy} isOpen={isAsked} onClose={() => setAsked(false)} onConfirm={() => void remove()} title="Remove">
        {name} is removed for good, with its outline on maps.
      </QuestionDialog>
    </div>
  );
}
