import type { AnswerTable } from "../query/answerTable.ts";
import type { Example } from "./examples.ts";
import type { Question, SavedQuery } from "./savedQueries.ts";

export type Editors = {
  /** The query in the editors. @throws Error if the variables are not valid JSON */
  read: () => Question;
  /** Whether the editors hold this query, and no variables. */
  hold: (query: string) => boolean;
  /** Opens a query in the editors. */
  open: (question: { query: string; variables: Record<string, unknown> | null }) => void;
  /** Runs the query in the editors. */
  run: () => void;
  /** Calls back after each edit of the query or its variables. @returns a function that stops this */
  onEdit: (edited: () => void) => () => void;
};

/** The last answer as a table, or why it is none; what it cost, and how long it took. */
export type Answered = {
  question: Question;
  table: AnswerTable | string;
  cost: number | null;
  mostCost: number;
  ms: number;
};

/** What the parts of the explorer share. */
export type ExplorerState = {
  examples: readonly Example[];
  /** null until GraphiQL has created them */
  editors: Editors | null;
  answered: Answered | null;
  saved: SavedQuery[];
  /** the saved query that is open */
  current: SavedQuery | null;
  setCurrent: (saved: SavedQuery | null) => void;
  reload: () => Promise<void>;
  /** shows a sentence to the person: what was done, or what went wrong */
  say: (text: string, isFailure?: boolean) => void;
};
