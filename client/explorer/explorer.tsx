import "graphiql/style.css";
import { createRoot } from "react-dom/client";
import { addArrayMethods } from "../shell/olderArrays.ts";
import "../shell/tokens.css";
import "./explorer.css";
import { ExplorerScreen } from "./ExplorerScreen.tsx";
import { findSaved, type SavedQuery } from "./savedQueries.ts";

/** Opens the explorer; with the saved query that the address names, if it does. */
async function start(place: HTMLElement): Promise<void> {
  const uuid = new URLSearchParams(location.search).get("saved");
  let opened: SavedQuery | null = null;
  let failure = "";
  try {
    if (uuid) opened = await findSaved(uuid);
  } catch (error) {
    failure = (error as Error).message;
  }
  createRoot(place).render(<ExplorerScreen opened={opened} failure={failure} />);
}

addArrayMethods();
const place = document.getElementById("explorer");
if (place) void start(place);
