import { Button } from "@blueprintjs/core";
import { useState } from "react";
import type { ExplorerState } from "./explorerState.ts";
import { ownerOf } from "./QuestionsMenu.tsx";
import { removeSaved, type SavedQuery } from "./savedQueries.ts";

/** The saved query that is open: what it answers, whose it is, its addresses, and its removal. */
export function SavedQueryBar({ query, setCurrent, reload, say }: ExplorerState & { query: SavedQuery }) {
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    try {
      await removeSaved(query.uuid);
      setCurrent(null);
      say(`“${query.name}” was removed.`);
      await reload();
    } catch (error) {
      say((error as Error).message, true);
    }
  };
  return (
    <p className="explorer-bar row">
      <b>{query.name}</b>
      {query.description && <span>{query.description}</span>}
      <span>{ownerOf(query)}</span>
      <a href={`/#/query/${query.uuid}`}>Page</a>
      <a href={query.path}>JSON</a>
      <a href={`${query.path}.csv?pages=all`}>CSV</a>
      {query.editable && (
        <Button
          aria-label={`${isAsking ? "Really remove" : "Remove"} ${query.name}`}
          onClick={() => (isAsking ? void remove() : setAsking(true))}
          size="small"
          text={isAsking ? "Really remove?" : "Remove"}
        />
      )}
    </p>
  );
}
