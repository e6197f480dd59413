import "graphiql/style.css";
import { createRoot } from "react-dom/client";
import { addArrayMethods } from "../shell/shim/olderArrays.ts";
import { now } from "../shell/clock/clock.ts";
import { keepSending, sendSignOut } from "../shell/session/signedOut.ts";
import "../shell/theme/tokens.css";
import "./sections.css";
import "./explorer.css";
import { ExplorerScreen } from "./ExplorerScreen.tsx";
import { findMinistryTime, findSaved, type MinistryTime, type SavedQuery } from "./savedQueries.ts";

const signedOutMessage = "You have signed out on this device, and the server does not know it yet. Load this page again when there is a connection.";

/** Opens the explorer, with the saved query if the address names one. */
async function start(place: HTMLElement): Promise<void> {
  const uuid = new URLSearchParams(location.search).get("saved");
  let opened: SavedQuery | null = null;
  let failure = "";
  // The default, if the server does not answer.
  let time: MinistryTime = { timeZone: "UTC", today: now().toISOString().slice(0, 10) };
  // If somebody signed out on this device without network, the sign-out must be sent to the server before any other request.
  const isSent = await sendSignOut();
  if (!isSent) {
    void keepSending();
    const line = document.createElement("p");
    line.className = "explorer-message";
    line.role = "alert";
    line.textContent = signedOutMessage;
    place.replaceChildren(line);
    return;
  }
  try {
    time = await findMinistryTime();
    if (uuid) opened = await findSaved(uuid);
  } catch (error) {
    failure = (error as Error).message;
  }
  createRoot(place).render(<ExplorerScreen failure={failure} opened={opened} time={time} />);
}

addArrayMethods();
const place = document.getElementById("explorer");
if (place) void start(place);
