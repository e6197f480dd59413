import { Button } from "@blueprintjs/core";
import { type ReactNode, useId, useState } from "react";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import "./ScopePanel.css";

type ScopePanelProps = {
  /** the way to the place */
  crumbs: ReactNode;
  /** how many other choices differ from the usual ones */
  set: number;
  children: ReactNode;
};

/**
 * The one bar that shows and changes the scope of everything below. On a phone it has the place, and the rest behind a
 * button.
 */
export function ScopePanel({ crumbs, set, children }: ScopePanelProps) {
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const rest = useId();
  return (
    <div aria-label="Scope" className="scope-bar screen-only" role="group">
      <div className="scope-crumbs">{crumbs}</div>
      {isPhone ? (
        <Button
          aria-controls={isOpen ? rest : undefined}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          text={`Filters (${set})`}
          variant="minimal"
        />
      ) : null}
      {isOpen || !isPhone ? (
        <div className="scope-rest" id={rest}>
          {children}
        </div>
      ) : null}
    </div>
  );
}
