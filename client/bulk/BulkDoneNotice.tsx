import { Callout, Intent } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { graphql } from "../gql/gql.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { mutate } from "../urql.ts";
import type { DoneAct } from "./bulkAsking.ts";
import { doneWords, undoneWords } from "./bulkWords.ts";

const mutation = graphql(`
  mutation BulkDoneNotice_undo($input: UndoBulkActInput!) {
    undoBulkAct(input: $input) {
      restored
      leftOut { reason sites }
      errors { path message }
    }
  }
`);

/** For how long an act can be undone. */
const undoableMs = 10 * 60_000;

type BulkDoneNoticeProps = {
  act: DoneAct;
  onUndone: () => void;
  onEnd: () => void;
};

/** What was done to the sites, with a button to undo it. It ends when that is no longer possible. */
export function BulkDoneNotice({ act, onUndone, onEnd }: BulkDoneNoticeProps) {
  const [isBusy, setBusy] = useState(false);
  const [words, setWords] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(onEnd, undoableMs);
    return () => clearTimeout(timer);
  });
  const undo = async () => {
    setBusy(true);
    const { data, failure } = await mutate(
      mutation,
      { input: { bulkActUuid: act.bulkActUuid } },
      { additionalTypenames: ["Facility", "FacilityGroup"] },
    );
    setBusy(false);
    const answer = data?.undoBulkAct;
    setWords(
      failure ??
        answer?.errors[0]?.message ??
        undoneWords({ restored: answer?.restored ?? 0, leftOut: answer?.leftOut ?? [] }),
    );
    onUndone();
  };
  return (
    <Callout compact intent={Intent.SUCCESS} role="status">
      <div className="row is-spread screen-only">
        <span>{words ?? doneWords(act)}</span>
        {words || act.done === 0 ? null : <BusyButton isBusy={isBusy} onClick={() => void undo()} text="Undo" />}
      </div>
    </Callout>
  );
}
