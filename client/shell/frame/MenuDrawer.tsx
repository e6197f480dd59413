import { Button } from "@blueprintjs/core";
import { CrossIcon } from "@blueprintjs/icons";
import { useLayoutEffect, useRef } from "react";
import { Brand } from "./Brand.tsx";
import { Person } from "./Person.tsx";
import { SavingDataButton } from "./SavingDataButton.tsx";
import { Menu } from "../menu/Menu.tsx";
import { ThemeButton } from "../theme/ThemeButton.tsx";

/**
 * The menu of a narrow screen, as a native dialog: it keeps the focus, and closes with Escape or a tap outside. It is rendered only while it is open. Blueprint's Drawer would add 8 kB
 * and has no dialog role.
 */
export function MenuDrawer({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!;
    const tapped = ({ target, clientX }: MouseEvent) => {
      if (target === shown && clientX > shown.getBoundingClientRect().right) onClose();
    };
    shown.addEventListener("click", tapped);
    shown.showModal();
    return () => {
      shown.removeEventListener("click", tapped);
      shown.close();
    };
  }, [onClose]);

  return (
    <dialog aria-label="Menu" className="menu-drawer" onClose={onClose} ref={dialog}>
      <div className="menu-drawer-head">
        <Button aria-label="Close menu" className="top-bar-button" icon={<CrossIcon size={20} />} onClick={onClose} variant="minimal" />
        <Brand />
      </div>
      <Menu onChoose={onClose} />
      <div className="rail-foot">
        <Person />
        <ThemeButton />
        <SavingDataButton />
      </div>
    </dialog>
  );
}
