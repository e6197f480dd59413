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
  const [isAsked, setAsked] = useState<boolean>();
  const { handleSubmit, refusal, send } = useRegistryForm({});
  const remove = handleSubmit(async () => {
    const done = await send(callRegistry("DELETE", paths.place(kind, id), { etag }));
    setAsked(false);
    if (done) onRemoved();
  });
  return (
    <div className="form">
      <RefusalNote {...refusal} onReadAgain={onReadAgain} />
      <p className="form-note">Only a {placeNames[kind].one} that nothing depends on can be removed. What was once in use is closed instead.</p>
      <div className="form-actions">
        <Button intent={Intent.DANGER} onClick={() => setAsked(true)} text={`Remove ${placeNames[kind].one}`} />
      </div>
      <QuestionDialog asked={isAsked} intent={Intent.DANGER} onClose={setAsked} onConfirm={() => remove()} title="Remove">
        {name} is removed for good, with its outline on maps.
      </QuestionDialog>
    </div>
  );
}
