import { useMemo, useState } from "react";

import { useExplorer } from "./explorerState.ts";
import { listExamples } from "./listExamples.ts";
import { removeSaved, type SavedQuery } from "./savedQueries.ts";

function SavedItem({ saved }: { saved: SavedQuery }) {
  const { current, setCurrent, reload, say, editors } = useExplorer();
  const [isAsking, setAsking] = useState(false);

  const remove = async () => {
    try {
      await removeSaved(saved.uuid);
      if (current?.uuid === saved.uuid) setCurrent(null);
      say(`“${saved.name}” was removed.`);
      await reload();
    } catch (error) {
      say((error as Error).message, true);
    }
  };

  return (
    <li className="explorer-question">
      <button
        type="button"
        aria-current={current?.uuid === saved.uuid}
        disabled={!editors}
        onClick={() => {
          editors?.open(saved);
          setCurrent(saved);
        }}
      >
        {saved.name}
      </button>
      {saved.description && <p>{saved.description}</p>}
      <p className="explorer-question-links">
        <span>{saved.own ? (saved.shared ? "Yours, shared" : "Yours") : `Shared by ${saved.ownerUserName}`}</span>
        <a href={`/#/query/${saved.uuid}`}>Page</a>
        <a href={saved.path}>JSON</a>
        <a href={`${saved.path}.csv?pages=all`}>CSV</a>
        {saved.editable && (
          <button type="button" aria-label={`${isAsking ? "Really remove" : "Remove"} ${saved.name}`} onBlur={() => setAsking(false)} onClick={() => (isAsking ? void remove() : setAsking(true))}>
            {isAsking ? "Really remove?" : "Remove"}
          </button>
        )}
      </p>
    </li>
  );
}

/** Beside the editor: example queries and saved queries. */
export function QuestionsSection() {
  const { time, saved, setCurrent, editors } = useExplorer();
  const examples = useMemo(() => listExamples(time.today), [time]);
  return (
    <details className="explorer-questions" id="explorer-questions" open>
      <summary>Questions</summary>
      <h2>Questions to begin with</h2>
      <ul>
        {examples.map((example) => (
          <li className="explorer-question" key={example.name}>
            <button
              type="button"
              disabled={!editors}
              onClick={() => {
                editors?.open(example);
                setCurrent(null);
              }}
            >
              {example.title}
            </button>
          </li>
        ))}
      </ul>
      <h2>Saved queries</h2>
      {saved.length === 0 && <p>None yet. Save one that you ask again and again: it gets an address that answers as JSON or CSV.</p>}
      <ul>
        {saved.map((one) => (
          <SavedItem key={one.uuid} saved={one} />
        ))}
      </ul>
    </details>
  );
}
