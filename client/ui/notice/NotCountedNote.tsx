import { notCounted } from "../text/notCountedText.ts";

type Props = {
  row: { setAside?: { reason: string } | null; held?: string | null };
  /** the row opens what says why: on a phone one word is enough */
  opens?: boolean;
};

/** The line of a row that says why no figure counts its record. */
export function NotCountedNote({ row, opens = false }: Props) {
  const why = notCounted(row.setAside?.reason, row.held);
  return why ? (
    <span className="note is-line is-wrapping">
      {why.word}
      <span className={opens ? "wide-only" : undefined}>: {why.reason}</span>
    </span>
  ) : null;
}
