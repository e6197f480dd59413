import "@blueprintjs/core/lib/css/blueprint.css";
import "./shell/theme/tokens.css";
import "./shell/theme/base.css";
import "./shell/theme/olderColours.css";
import "./start.css";
import { FocusStyleManager, OverlaysProvider, PortalProvider } from "@blueprintjs/core";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { ErrorBoundary } from "./shell/BrokenScreen.tsx";
import { keepApplication } from "./shell/offline.ts";
import { currentSession, resumeSession } from "./shell/session/session.ts";
import { Toasts } from "./shell/toast/Toasts.tsx";
import { reserveRoom } from "./shell/toast/toastRoom.ts";

FocusStyleManager.onlyShowFocusOnTabs();

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element.");

const place = createRoot(root);
/** A transition, so that React renders in small steps, between which the browser can react to input. */
const show = () =>
  startTransition(() =>
    place.render(
      <StrictMode>
        <PortalProvider>
          <OverlaysProvider>
            <ErrorBoundary>
              <App />
            </ErrorBoundary>
            {/* Last, so that the Tab key reaches the link to the content first. */}
            <Toasts />
          </OverlaysProvider>
        </PortalProvider>
      </StrictMode>,
    ),
  );

/** The height of the message that the session was resumed, in pixels: its room is there before the screen is. */
const roomOfMessage = 58;

/** The page stays as it is in index.html until the session is known and the first screen is fetched. */
async function begin(): Promise<void> {
  await resumeSession();
  const { state } = currentSession();
  if (state === "signedIn") reserveRoom(roomOfMessage);
  if (state === "signedOut") await import("./auth/LoginScreen.tsx").catch(() => {});
  show();
}

void begin();
keepApplication();
