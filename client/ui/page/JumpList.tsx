import { Button } from "@blueprintjs/core";
import "./JumpList.css";

/** A part of a long page, by its element's id. */
type PagePart = { id: string; title: string };

/** Scrolls by script, because the hash router would take a fragment link as a route. */
function jumpTo(id: string): void {
  const part = document.getElementById(id);
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

/** Buttons that scroll to the parts of a long page. */
export function JumpList({ parts }: { parts: readonly PagePart[] }) {
  return (
    <nav className="jump-list row screen-only" aria-label="On this page">
      {parts.map(({ id, title }) => (
        <Button key={id} onClick={() => jumpTo(id)} text={title} variant="outlined" />
      ))}
    </nav>
  );
}
