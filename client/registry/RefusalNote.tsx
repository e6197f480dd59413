import { Button } from "@blueprintjs/core";
import { FormAlert } from "../ui/form/FormAlert.tsx";

type RefusalNoteProps = { message: string | undefined; isStale: boolean; onReadAgain: () => void };

/**
 * Why a form was not saved. If somebody else has changed the record meanwhile, it says so and offers to read it again.
 */
export function RefusalNote({ message, isStale, onReadAgain }: RefusalNoteProps) {
  return (
    <>
      <FormAlert message={message} />
      {isStale ? (
        <div>
          <Button onClick={onReadAgain} text="Read again" />
        </div>
      ) : null}
    </>
  );
}
