import { Card } from "@blueprintjs/core";
import { type ReactNode, useId } from "react";
import "./LinkList.css";
import { ScopeLink } from "../scope/ScopeLink.tsx";

/** An entry of a list: its name as a link, and a note. */
export type LinkRow = {
  id: string;
  title: string;
  to: string;
  note?: ReactNode;
  /** A second link, described by the row's name. */
  aside?: { title: string; to: string };
};

type LinkListProps = {
  caption: string;
  rows: readonly LinkRow[];
  /** What stands beside the caption. */
  children?: ReactNode;
};

/** A narrow list of links, for the column beside an overview. */
export function LinkList({ caption, rows, children }: LinkListProps) {
  const base = useId();
  return (
    <Card className="link-list">
      <div className="link-list-caption row is-spread">
        <p id={base}>{caption}</p>
        {children}
      </div>
      <ul className="plain" aria-labelledby={base}>
        {rows.map(({ id, title, to, note, aside }) => (
          <li className="link-list-row row is-spread" key={id}>
            <div className="link-list-main">
              <ScopeLink id={`${base}-${id}`} to={to}>
                {title}
              </ScopeLink>
              {note ? <div className="note">{note}</div> : null}
            </div>
            {aside ? (
              <ScopeLink className="note" to={aside.to} aria-describedby={`${base}-${id}`}>
                {aside.title}
              </ScopeLink>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
