import { GraphiQL } from "graphiql";
import { useCallback, useEffect, useMemo, useState } from "react";

import { useTheme } from "../shell/theme/theme.ts";
import { EditorsBridge } from "./EditorsBridge.tsx";
import { ExplorerActions } from "./ExplorerActions.tsx";
import { type Editors, ExplorerContext, type ExplorerState } from "./explorerState.ts";
import { listExamples } from "./listExamples.ts";
import { QuestionsSection } from "./QuestionsSection.tsx";
import { listSaved, type Question, type SavedQuery } from "./savedQueries.ts";

/** GraphiQL learns a moment after the text has changed how its operation is called: an older name is left out. */
const ask = async ({ operationName, ...params }: Question): Promise<unknown> => {
  const isThere = operationName && params.query.includes(operationName);
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ ...params, ...(isThere ? { operationName } : {}) }),
  });
  return response.json();
};

/** The page of GraphiQL, our own copy, on our own gateway: no outside host. */
export function ExplorerScreen({ opened, failure }: { opened: SavedQuery | null; failure: string }) {
  const [saved, setSaved] = useState<SavedQuery[]>([]);
  const [current, setCurrent] = useState(opened);
  const [message, setMessage] = useState({ text: failure, isFailure: failure !== "" });
  const [editors, setEditors] = useState<Editors | null>(null);
  const [isDark, chooseDark] = useTheme();
  const say = useCallback((text: string, isFailure = false) => setMessage({ text, isFailure }), []);

  const reload = useCallback(async () => {
    try {
      setSaved(await listSaved());
    } catch (error) {
      say((error as Error).message, true);
    }
  }, [say]);
  useEffect(() => void reload(), [reload]);

  // The address opens the query again, for whoever it is sent to.
  useEffect(() => history.replaceState(null, "", current ? `?saved=${current.uuid}` : location.pathname), [current]);

  const state = useMemo<ExplorerState>(() => ({ editors, saved, current, setCurrent, reload, say }), [editors, saved, current, reload, say]);
  const [first] = useMemo(() => listExamples(new Date().toISOString().slice(0, 10)), []);
  return (
    <ExplorerContext value={state}>
      <header className="explorer-bar">
        <h1>GraphQL explorer</h1>
        <p>{current ? current.name : "Ask with your own rights; the answer is what you may see."}</p>
        <button type="button" onClick={() => chooseDark(!isDark)}>
          {isDark ? "Light" : "Dark"}
        </button>
        <a href="/">Back to the platform</a>
      </header>
      <p className="explorer-message" data-failure={message.isFailure} role={message.isFailure ? "alert" : "status"}>
        {message.text}
      </p>
      <main className="explorer-main">
        <QuestionsSection />
        <section className="explorer-work" aria-label="Query and answer">
          <ExplorerActions />
          <GraphiQL
            fetcher={ask as never}
            defaultQuery={first?.query}
            query={opened?.query}
            variables={opened?.variables ? JSON.stringify(opened.variables, null, 2) : undefined}
            defaultEditorToolsVisibility="variables"
            isHeadersEditorEnabled={false}
            shouldPersistHeaders={false}
            showPersistHeadersSettings={false}
            forcedTheme={isDark ? "dark" : "light"}
          >
            <GraphiQL.Logo>
              <EditorsBridge onEditors={setEditors} />
            </GraphiQL.Logo>
          </GraphiQL>
        </section>
      </main>
    </ExplorerContext>
  );
}
