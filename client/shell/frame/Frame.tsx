import type { MouseEvent, ReactNode } from "react";
import { type Location, Outlet, ScrollRestoration, useNavigation } from "react-router-dom";
import { ClockNote } from "../clock/ClockNote.tsx";
import { DemonstrationNote } from "../session/DemonstrationNote.tsx";
import { Footer } from "./Footer.tsx";
import { Rail } from "./Rail.tsx";
import { TopBar } from "./TopBar.tsx";
import { useIsWide } from "./useIsWide.ts";
import "./Frame.css";

/** Moves the focus. A fragment link cannot do it, because the hash router would take it as a route. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/**
 * The key under which a scroll position is stored. Addresses that were typed, or opened from a bookmark, all have the key `default` and would
 * share one position.
 */
const positionKey = ({ key, pathname, search }: Location) => (key === "default" ? pathname + search : key);

/** The frame around every screen: menu, demonstration note, notices, footer. */
export function Frame({ notices }: { notices?: ReactNode }) {
  const isWide = useIsWide();
  const isLoading = useNavigation().state === "loading";
  return (
    <div className="frame">
      <a className="skip-link screen-only" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      {isWide ? <Rail /> : <TopBar />}
      <div className="frame-body">
        <DemonstrationNote />
        <ClockNote />
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
