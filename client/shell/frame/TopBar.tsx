import { Button, Drawer } from "@blueprintjs/core";
import { CrossIcon, MenuIcon } from "@blueprintjs/icons";
import { useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { routes } from "../../routes.ts";
import { asDialog } from "../../ui/page/asDialog.ts";
import { Menu } from "../menu/Menu.tsx";
import { PaletteButton } from "../palette/PaletteButton.tsx";
import { Brand } from "./Brand.tsx";
import { RailFoot } from "./RailFoot.tsx";

const becomeDialog = asDialog("Menu");

/**
 * Not Blueprint's Navbar, whose height is fixed: larger text would be cut off. The header of a narrow screen: a button
 * at the top left opens the menu as a drawer. After a choice the new screen has the focus, so the drawer does not
 * return it by itself.
 */
export function TopBar() {
  const { key, pathname, search } = useLocation();
  /** Addresses that were typed all have the same key. */
  const address = key + pathname + search;
  /** Where the menu was opened: it closes when the address changes. */
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === address;
  const close = () => setOpenedAt(undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const returnFocus = (drawer: HTMLElement) => {
    const { activeElement } = document;
    if (activeElement === document.body || drawer.contains(activeElement)) opener.current?.focus();
  };

  return (
    <header className="top-bar screen-only bp6-dark">
      <Button
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label="Menu"
        className="top-bar-button"
        icon={<MenuIcon size={20} />}
        onClick={() => setOpenedAt(address)}
        ref={opener}
        variant="minimal"
      />
      <Link to={routes.home()}>
        <Brand />
      </Link>
      <PaletteButton isNarrow />
      <Drawer
        className="menu-drawer bp6-dark"
        isOpen={isOpen}
        onClose={close}
        onClosed={returnFocus}
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
            onClick={close}
            variant="minimal"
          />
          <Brand />
        </div>
        <Menu onChoose={close} />
        <RailFoot />
      </Drawer>
    </header>
  );
}
