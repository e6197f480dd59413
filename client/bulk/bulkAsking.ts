import { useState } from "react";
import type { FragmentType } from "../gql/fragment-masking.ts";
import type { BulkDoneNotice_BulkActFragment, SelectedSitesInput, WorklistKind } from "../gql/graphql.ts";
import type { fragment } from "./BulkDoneNotice.tsx";

/** What is asked to be done, and at which sites. */
export type BulkAsking = {
  act: "assign" | "note" | "snooze" | "partner" | "list" | "unlist";
  sites: SelectedSitesInput;
  /** Which sites, in words: a name, or how many. */
  what: string;
  /** The kind of the work list from which it is asked. */
  kind?: WorklistKind;
  /** The uuid of the field list off which they are taken. */
  fieldList?: string | undefined;
  /** Of one snoozed entry: until when. */
  snoozedUntil?: string | undefined;
};

/** An act as the server answered it. */
export type DoneAct = BulkDoneNotice_BulkActFragment & {
  /** the field list on which the sites were put */ fieldList?: string | undefined;
};

/** What each dialog gets. */
export type BulkDialogProps = {
  asking: BulkAsking;
  isOpen: boolean;
  onClose: () => void;
  /** `fieldList`: the uuid of the list on which the sites were put. */
  onDone: (act: FragmentType<typeof fragment>, fieldList?: string) => void;
};

/** What is asked on a screen, and what was done last. */
export function useBulk() {
  // The number tells a question from an equal one that was asked before: its dialog begins anew.
  const [{ asking, asked }, setAsked] = useState<{ asking?: BulkAsking | undefined; asked: number }>({ asked: 0 });
  const ask = (next: BulkAsking | undefined) =>
    setAsked((now) => ({ asking: next, asked: next ? now.asked + 1 : now.asked }));
  const [done, setDone] = useState<DoneAct>();
  return { asking, asked, ask, done, setDone };
}
export type Bulk = ReturnType<typeof useBulk>;
