import "./JumpList.css";

/** A part of a long page, by its element's id. */
export type PagePart = { id: string; title: string };

/** By hand, because a fragment link would be a route of the hash router. */
function jumpTo(id: string): void {
  const part = document.getElementById(id);
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

/** The parts of a long page, each a press away. */
export function JumpList({ parts }: { parts: readonly PagePart[] }) {
  return (
    <nav className="jump-list" aria-label="On this page">
      {parts.map(({ id, title }) => (
        <button key={id} type="button" onClick={() => jumpTo(id)}>
          {title}
        </button>
      ))}
    </nav>
  );
}
