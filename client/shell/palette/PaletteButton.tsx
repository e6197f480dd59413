import { Button, Classes } from "@blueprintjs/core";
import { SearchIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import { menuEntry } from "../menu/Menu.tsx";
import { FetchedDialog } from "../../ui/network/FetchedDialog.tsx";
import { fetchedPart } from "../../ui/network/fetchedPart.ts";
import { showError } from "../toast/toaster.tsx";

const part = fetchedPart(() => import("./PaletteDialog.tsx"));
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Opens the search for places, facilities, people, screens, saved questions and views. Ctrl K (Cmd K on a Mac) opens
 * it everywhere.
 */
export function PaletteButton({ isNarrow = false }: { isNarrow?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const onFailure = (message: string) => {
    close();
    showError(message);
  };
  useEffect(() => {
    const openBy = (event: KeyboardEvent) => {
      const isAsked =
        event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // Another open dialog keeps the keyboard.
      if (!isAsked || document.body.classList.contains(Classes.OVERLAY_OPEN)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", openBy);
    return () => document.removeEventListener("keydown", openBy);
  }, []);
  return (
    <>
      {isNarrow ? (
        <Button
          aria-haspopup="dialog"
          aria-label="Find"
          className="top-bar-button palette-button"
          icon={<SearchIcon size={20} />}
          onClick={() => setOpen(true)}
          variant="minimal"
        />
      ) : (
        <button
          aria-haspopup="dialog"
          aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
          className={menuEntry}
          onClick={() => setOpen(true)}
          type="button"
        >
          <SearchIcon />
          <span className={Classes.FILL}>Find</span>
          <kbd className={Classes.MENU_ITEM_LABEL}>{isMac ? "⌘ K" : "Ctrl K"}</kbd>
        </button>
      )}
      <FetchedDialog isOpen={isOpen} onFailure={onFailure} part={part}>
        {({ PaletteDialog }) => (isOpen ? <PaletteDialog onClose={close} /> : null)}
      </FetchedDialog>
    </>
  );
}
