import { notCountedText } from "../text/notCountedText.ts";

/** The line of a row that says why no figure counts its record. */
export function NotCountedNote({ row }: { row: { setAside?: { reason: string } | null; held?: string | null } }) {
  const text = notCountedText(row.setAside?.reason, row.held);
  return text ? <span className="note is-line is-wrapping">{text}</span> : null;
}
