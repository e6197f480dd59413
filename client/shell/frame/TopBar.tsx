import { Button } from "@blueprintjs/core";
import { MenuIcon } from "@blueprintjs/icons";
import { useCallback, useEffect, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { routes } from "../../routes.ts";
import { PaletteButton } from "../palette/PaletteButton.tsx";
import { Brand } from "./Brand.tsx";
import { MenuDrawer } from "./MenuDrawer.tsx";

/** The header of a narrow screen: a button at the top left opens the menu as a drawer. */
export function TopBar() {
  const { key } = useLocation();
  /** Where the menu was opened: it closes when the address changes. */
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === key;
  const close = useCallback(() => setOpenedAt(undefined), []);

  /** After a choice the focus goes to the new screen's heading; after closing the menu it goes back to the button. */
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      const active = document.activeElement;
      if (!active || active === document.body || active.closest(".menu-drawer")) document.querySelector<HTMLElement>(".top-bar-button")?.focus();
    };
  }, [isOpen]);

  return (
    <header className="top-bar">
      <Button
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label="Menu"
        className="top-bar-button"
        icon={<MenuIcon size={20} />}
        onClick={() => setOpenedAt(key)}
        variant="minimal"
      />
      <Link className="top-bar-brand" to={routes.home()}>
        <Brand />
      </Link>
      <PaletteButton isNarrow />
      {isOpen ? <MenuDrawer onClose={close} /> : null}
    </header>
  );
}
