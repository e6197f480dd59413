import "graphiql/style.css";
import { Callout, OverlaysProvider } from "@blueprintjs/core";
import { createRoot } from "react-dom/client";
import { addArrayMethods } from "../shell/shim/olderArrays.ts";
import { now } from "../shell/clock/clock.ts";
import { keepSending, sendSignOut } from "../shell/session/signedOut.ts";
import "@blueprintjs/core/lib/css/blueprint.css";
import "../shell/theme/tokens.css";
import "../shell/theme/base.css";
import "./explorer.css";
import { ExplorerScreen } from "./ExplorerScreen.tsx";
import { findSaved, findToday, type SavedQuery } from "./savedQueries.ts";

const signedOutMessage =
  "You have signed out on this device, and the server does not know it yet. Load this page again when there is a connection.";

/** Opens the explorer, with the saved query if the address names one. */
async function start(place: HTMLElement): Promise<void> {
  const root = createRoot(place);
  // If somebody signed out on this device without network, the sign-out must be sent to the server before any other
  // request.
  if (!(await sendSignOut())) {
    void keepSending();
    root.render(
      <Callout intent="danger" role="alert">
        {signedOutMessage}
      </Callout>,
    );
    return;
  }
  const uuid = new URLSearchParams(location.search).get("saved");
  let opened: SavedQuery | null = null;
  let failure = "";
  // The default, if the server does not answer.
  let today = now().toISOString().slice(0, 10);
  try {
    today = await findToday();
    if (uuid) opened = await findSaved(uuid);
  } catch (error) {
    failure = (error as Error).message;
  }
  root.render(
    <OverlaysProvider>
      <ExplorerScreen failure={failure} opened={opened} today={today} />
    </OverlaysProvider>,
  );
}

addArrayMethods();
const place = document.getElementById("explorer");
if (place) void start(place);
