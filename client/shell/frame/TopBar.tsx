import { Button } from "@blueprintjs/core";
import { MenuIcon } from "@blueprintjs/icons";
import { useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { routes } from "../../routes.ts";
import { PaletteButton } from "../palette/PaletteButton.tsx";
import { Brand } from "./Brand.tsx";
import { MenuDrawer } from "./MenuDrawer.tsx";

/**
 * Not Blueprint's Navbar, whose height is fixed: larger text would be cut off. The header of a narrow screen: a button at the top left opens
 * the menu as a drawer.
 */
export function TopBar() {
  const { key, pathname, search } = useLocation();
  /** Addresses that were typed all have the same key. */
  const address = key + pathname + search;
  /** Where the menu was opened: it closes when the address changes. */
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === address;
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
      <MenuDrawer isOpen={isOpen} onClose={() => setOpenedAt(undefined)} onClosed={returnFocus} />
    </header>
  );
}
