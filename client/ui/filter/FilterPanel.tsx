import { Button, Card, DialogBody, DialogFooter, Intent } from "@blueprintjs/core";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { ModalDialog } from "../page/ModalDialog.tsx";
import "./FilterPanel.css";

const narrow = matchMedia("(max-width: 640px)");
const subscribe = (listener: () => void) => {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
};

type FilterPanelProps = { isOpen: boolean; onClose: () => void; id: string; children: ReactNode };

/** The fields of a list's filters: above the list, or in a dialog on a phone. Each takes effect at once. */
export function FilterPanel({ isOpen, onClose, id, children }: FilterPanelProps) {
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches);
  const panel = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen && !wasOpen.current && !isNarrow) panel.current?.querySelector<HTMLElement>("select, input")?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, isNarrow]);
  useEffect(() => {
    const shown = panel.current;
    const closeBy = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
    };
    shown?.addEventListener("keydown", closeBy);
    return () => shown?.removeEventListener("keydown", closeBy);
  });
  const fields = <div className="filter-panel-fields">{children}</div>;
  if (isNarrow)
    return (
      <ModalDialog className="filter-dialog" isOpen={isOpen} onClose={onClose} title="Filters">
        <DialogBody>
          <div id={id}>{fields}</div>
        </DialogBody>
        <DialogFooter actions={<Button intent={Intent.PRIMARY} onClick={onClose} text="Show the list" />} />
      </ModalDialog>
    );
  return isOpen ? (
    <Card aria-label="Filters" className="filter-panel" id={id} ref={panel} role="region">
      {fields}
      <div className="filter-panel-foot">
        <Button onClick={onClose} text="Close" />
      </div>
    </Card>
  ) : null;
}
