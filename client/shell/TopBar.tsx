import { Button, Classes, Overlay2 } from "@blueprintjs/core";
import { CrossIcon, MenuIcon } from "@blueprintjs/icons";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { routes } from "../routes.ts";
import { Brand } from "./Brand.tsx";
import { Menu } from "./Menu.tsx";
import { Person } from "./Person.tsx";
import { ThemeButton } from "./ThemeButton.tsx";

const drawer = `${Classes.DRAWER} ${Classes.positionClass("left")} menu-drawer`;

/**
 * The header of a narrow screen: a button at the top left opens the menu as a drawer. Blueprint's own Drawer says to nobody
 * that it is a dialog.
 */
export function TopBar() {
  const [isOpen, setOpen] = useState(false);
  const { key } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  useEffect(close, [key]);

  /** Whoever chose an entry is taken to the new screen's heading; whoever just closed the menu is taken back. */
  const returnFocus = () => {
    const active = document.activeElement;
    if (!active || active === document.body || active.closest(".menu-drawer")) button.current?.focus();
  };

  return (
    <header className="top-bar">
      <Button
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label="Menu"
        className="top-bar-button"
        icon={<MenuIcon size={20} />}
        onClick={() => setOpen(true)}
        ref={button}
        variant="minimal"
      />
      <Link className="top-bar-brand" to={routes.home()}>
        <Brand />
      </Link>
      <Overlay2
        className={Classes.OVERLAY_CONTAINER}
        isOpen={isOpen}
        onClose={close}
        onClosed={returnFocus}
        shouldReturnFocusOnClose={false}
      >
        <div aria-label="Menu" aria-modal="true" className={drawer} role="dialog">
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
          <div className="rail-foot">
            <Person />
            <ThemeButton />
          </div>
        </div>
      </Overlay2>
    </header>
  );
}
