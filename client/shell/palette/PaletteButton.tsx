import { Button } from "@blueprintjs/core";
import { SearchIcon } from "@blueprintjs/icons";
import { useCallback, useEffect, useState } from "react";
import { PaletteDialog } from "./PaletteDialog.tsx";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the search for places, facilities, people, screens and saved views. Ctrl K (Cmd K on a Mac) opens it everywhere. */
export function PaletteButton({ isNarrow = false }: { isNarrow?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    const openBy = (event: KeyboardEvent) => {
      const isAsked = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // Another open dialog keeps the keyboard.
      if (!isAsked || document.querySelector("dialog[open], .bp6-dialog")) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", openBy);
    return () => document.removeEventListener("keydown", openBy);
  }, []);
  return (
    <>
      {isNarrow ? (
        <Button aria-haspopup="dialog" aria-label="Find" className="top-bar-button palette-button" icon={<SearchIcon size={20} />} onClick={() => setOpen(true)} variant="minimal" />
      ) : (
        <button aria-haspopup="dialog" aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"} className="menu-entry palette-button" onClick={() => setOpen(true)} type="button">
          <SearchIcon />
          Find
          <kbd className="menu-note">{isMac ? "⌘ K" : "Ctrl K"}</kbd>
        </button>
      )}
      {isOpen ? <PaletteDialog onClose={close} /> : null}
    </>
  );
}
