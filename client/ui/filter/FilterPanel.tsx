import { Button, Classes, Drawer, Intent } from "@blueprintjs/core";
import type { ReactNode } from "react";
import "./FilterPanel.css";

type FilterPanelProps = { isOpen: boolean; onClose: () => void; id: string; children: ReactNode };

/**
 * The fields of a list's filters, in a drawer. Each takes effect at once. The element inside has the role, which
 * Blueprint's Drawer does not have.
 */
export function FilterPanel({ isOpen, onClose, id, children }: FilterPanelProps) {
  return (
    <Drawer
      className="filter-drawer screen-only"
      isOpen={isOpen}
      onClose={onClose}
      onOpened={(node) => node.querySelector<HTMLElement>("select, input")?.focus()}
      size="min(440px, 100%)"
    >
      <section aria-label="Filters" aria-modal className={`${Classes.DRAWER_BODY} stack`} id={id} role="dialog">
        <h2>Filters</h2>
        <div className="grid">{children}</div>
        <div className="filter-drawer-foot">
          <Button fill intent={Intent.PRIMARY} onClick={onClose} text="Show the list" />
        </div>
      </section>
    </Drawer>
  );
}
