import type { Finding } from "./csv.ts";
import { type Header, type Kind, kinds, type RowOf } from "./load.rules.ts";

/** A valid row of a file, with its place for reports. */
export type Listed<K extends Kind> = { file: string; line: number; header: Header; row: RowOf<K> };

type Counts = {
  files: number;
  rows: number;
  added: number;
  changed: number;
  unchanged: number;
  warnings: number;
};

/** The record of a load: counts, errors and warnings. */
export type Journal = {
  counts: Record<Kind, Counts>;
  errors: Finding[];
  warnings: Finding[];
  notes: string[];
};

export function newJournal(): Journal {
  const none = (): Counts => ({ files: 0, rows: 0, added: 0, changed: 0, unchanged: 0, warnings: 0 });
  return {
    counts: Object.fromEntries(kinds.map((kind) => [kind, none()])) as Record<Kind, Counts>,
    errors: [],
    warnings: [],
    notes: [],
  };
}

type Place = { file: string; line: number; header: Header };

const findingAt = ({ file, line, header }: Place, field: string, reason: string): Finding => ({
  file,
  line,
  column: header.fields.get(field)?.column ?? field,
  reason,
});

/** Reports an error in a row. With an error the whole load is rolled back. */
export const refuse = (journal: Journal, place: Place, field: string, reason: string): void =>
  void journal.errors.push(findingAt(place, field, reason));

/** Reports a warning about a row, which is loaded nevertheless. */
export function warn(journal: Journal, kind: Kind, place: Place, field: string, reason: string): void {
  journal.counts[kind].warnings += 1;
  journal.warnings.push(findingAt(place, field, reason));
}

/** Where another row is, as text: the line, and the file if it is another one. */
export const whereIs = (other: Place, { file }: Place): string =>
  other.file === file ? `line ${other.line}` : `${other.file}:${other.line}`;
