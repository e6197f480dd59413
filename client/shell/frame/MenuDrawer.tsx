import { Button, Drawer } from "@blueprintjs/core";
import { CrossIcon } from "@blueprintjs/icons";
import { asDialog } from "../../ui/page/asDialog.ts";
import { Menu } from "../menu/Menu.tsx";
import { ThemeButton } from "../theme/ThemeButton.tsx";
import { Brand } from "./Brand.tsx";
import { Person } from "./Person.tsx";
import { SavingDataButton } from "./SavingDataButton.tsx";

type MenuDrawerProps = { isOpen: boolean; onClose: () => void; onClosed: (content: HTMLElement) => void };

const becomeDialog = asDialog("Menu");

/** The menu of a narrow screen. After a choice the new screen has the focus, so the drawer does not return it by itself. */
export function MenuDrawer({ isOpen, onClose, onClosed }: MenuDrawerProps) {
  return (
    <Drawer
      className="menu-drawer bp6-dark"
      isOpen={isOpen}
      onClose={onClose}
      onClosed={onClosed}
      onOpening={becomeDialog}
      position="left"
      shouldReturnFocusOnClose={false}
      size="min(320px, 86vw)"
    >
      <div className="menu-drawer-head">
        <Button
          aria-label="Close menu"
          autoFocus
          className="top-bar-button"
          icon={<CrossIcon size={20} />}
          onClick={onClose}
          variant="minimal"
        />
        <Brand />
      </div>
      <Menu onChoose={onClose} />
      <div className="rail-foot stack">
        <Person />
        <ThemeButton />
        <SavingDataButton />
      </div>
    </Drawer>
  );
}
