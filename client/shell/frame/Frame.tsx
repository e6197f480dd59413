import { type MouseEvent, type ReactNode, useLayoutEffect } from "react";
import { Link, type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router-dom";
import { routes } from "../../routes.ts";
import { Menu } from "../menu/Menu.tsx";
import { useIsWide } from "../../ui/form/useIsWide.ts";
import { giveRoomBack, setLeaving } from "../toast/toastRoom.ts";
import { PaletteButton } from "../palette/PaletteButton.tsx";
import { DemonstrationNote } from "../session/DemonstrationNote.tsx";
import { Brand } from "./Brand.tsx";
import { Footer } from "./Footer.tsx";
import { RailFoot } from "./RailFoot.tsx";
import { TopBar } from "./TopBar.tsx";
import "./Frame.css";

/** Moves the focus. A fragment link cannot do it, because the hash router would take it as a route. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/**
 * The key under which a scroll position is stored. Addresses that were typed, or opened from a bookmark, all have the
 * key `default` and would share one position.
 */
const positionKey = ({ key, pathname, search }: Location) => (key === "default" ? pathname + search : key);

/** The header of a wide screen: a rail on the left with the name, the menu and the signed-in person. */
function Rail() {
  return (
    <header className="rail stack screen-only bp6-dark">
      <Link to={routes.home()}>
        <Brand />
      </Link>
      <PaletteButton />
      <Menu />
      <RailFoot />
    </header>
  );
}

/** The frame around every screen: menu, demonstration note, notices, footer. */
export function Frame({ notices }: { notices?: ReactNode }) {
  // Whether there is room for the menu beside the screen.
  const isWide = useIsWide(901);
  const isLoading = useNavigation().state === "loading";
  const { pathname } = useLocation();
  // With the new screen, which takes the place of the former one at this moment.
  useLayoutEffect(() => {
    giveRoomBack();
    return () => setLeaving(false);
  }, [pathname]);
  return (
    <div className="frame">
      <a className="skip-link screen-only" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      {isWide ? <Rail /> : <TopBar />}
      <div className="frame-body">
        <DemonstrationNote />
        {notices}
        <main className="frame-main" id="content" tabIndex={-1} aria-busy={isLoading}>
          <Outlet />
        </main>
        <Footer />
      </div>
      {isLoading ? <div className="frame-progress screen-only" aria-hidden="true" /> : null}
      <ScrollRestoration getKey={positionKey} />
    </div>
  );
}
