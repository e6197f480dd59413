import { Button, Drawer, Position } from "@blueprintjs/core";
import { CrossIcon, MenuIcon } from "@blueprintjs/icons";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { routes } from "../routes.ts";
import { Brand } from "./Brand.tsx";
import { Menu } from "./Menu.tsx";
import { Person } from "./Person.tsx";
import { ThemeButton } from "./ThemeButton.tsx";

/** The header of a narrow screen: a button at the top left opens the menu as a drawer. */
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
      <Drawer
        aria-label="Menu"
        className="menu-drawer"
        isOpen={isOpen}
        onClose={close}
        onClosed={returnFocus}
        position={Position.LEFT}
        shouldReturnFocusOnClose={false}
        size="min(320px, 86vw)"
      >
        <div className="menu-drawer-body">
          <div className="menu-drawer-head">
            <Button aria-label="Close menu" className="top-bar-button" icon={<CrossIcon size={20} />} onClick={close} variant="minimal" />
            <Brand />
          </div>
          <Menu onChoose={close} />
          <div className="rail-foot">
            <Person />
            <ThemeButton />
          </div>
        </div>
      </Drawer>
    </header>
  );
}
