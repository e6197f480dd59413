import { Callout, Intent } from "@blueprintjs/core";
import { useEffect, useEffectEvent, useState } from "react";
import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { now } from "../shell/clock/clock.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { mutate } from "../urql.ts";
import type { DoneAct } from "./bulkAsking.ts";
import { doneWords, undoneWords } from "./bulkWords.ts";

export const fragment = graphql(`
  fragment BulkDoneNotice_BulkAct on BulkAct { bulkActUuid act asked done leftOut { reason sites } undoableUntil }
`);
const mutation = graphql(`
  mutation BulkDoneNotice_undo($input: UndoBulkActInput!) {
    undoBulkAct(input: $input) {
      restored
      leftOut { reason sites }
      errors { path message }
    }
  }
`);

type BulkDoneNoticeProps = {
  act: DoneAct;
  onUndone: () => void;
  onEnd: () => void;
};

/** What was done to the sites, with a button to undo it. It ends when that is no longer possible. */
export function BulkDoneNotice({ act, onUndone, onEnd }: BulkDoneNoticeProps) {
  const [isBusy, setBusy] = useState(false);
  const [words, setWords] = useState<string>();
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setTimeout(() => end(), Date.parse(act.undoableUntil) - now().getTime());
    return () => clearTimeout(timer);
  }, [act.undoableUntil]);
  const undo = async () => {
    setBusy(true);
    const { data, failure } = await mutate(
      mutation,
      { input: { bulkActUuid: act.bulkActUuid } },
      { additionalTypenames: ["Facility", "FacilityGroup", "FieldList"] },
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
        <span>
          {words ?? doneWords(act)}
          {act.fieldList && !words ? (
            <>
              {" · "}
              <Link to={routes.facilityList({ fieldList: act.fieldList })}>Open the list</Link>
            </>
          ) : null}
        </span>
        {words || act.done === 0 ? null : <BusyButton isBusy={isBusy} onClick={() => void undo()} text="Undo" />}
      </div>
    </Callout>
  );
}
