import { createContext, useContext } from "react";

import type { MinistryTime, Question, SavedQuery } from "./savedQueries.ts";

export type Editors = {
  /** What is in the editors. @throws Error when the variables cannot be read */
  read: () => Question;
  /** The text of the query. */
  text: () => string;
  /** Puts another text in its place; the variables stay. */
  write: (query: string) => void;
  /** Puts a question into the editors. */
  open: (question: { query: string; variables: Record<string, unknown> | null }) => void;
  /** Asks what is in the editors. */
  run: () => void;
  /** Calls back after each edit of the query or its variables. @returns ends that */
  onEdit: (edited: () => void) => () => void;
};

/** The last answer, and when it came. */
export type Answered = { at: Date; question: Question; data: unknown; rows: number | null; cost: number | null; mostCost: number; ms: number };

export type ExplorerState = {
  time: MinistryTime;
  /** null until GraphiQL has fetched and made them */
  editors: Editors | null;
  answered: Answered | null;
  saved: SavedQuery[];
  /** the saved query that is open */
  current: SavedQuery | null;
  setCurrent: (saved: SavedQuery | null) => void;
  reload: () => Promise<void>;
  /** a sentence for the person: what was done, or what went wrong */
  say: (text: string, isFailure?: boolean) => void;
};

export const ExplorerContext = createContext<ExplorerState | null>(null);

export function useExplorer(): ExplorerState {
  const state = useContext(ExplorerContext);
  if (!state) throw new Error("Outside of the explorer");
  return state;
}
