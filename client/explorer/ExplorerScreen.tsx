import { GraphiQL } from "graphiql";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { now } from "../shell/clock/clock.ts";
import { useTheme } from "../shell/theme/theme.ts";
import type { AnswerShape } from "../query/answerShape.ts";
import { readTable } from "../query/AnswerPanel.tsx";
import { AnswerSection } from "./AnswerSection.tsx";
import { CostLine } from "./CostLine.tsx";
import { documentation } from "./DocsSearch.tsx";
import { EditorsBridge } from "./EditorsBridge.tsx";
import { addressOf, readAddress } from "./explorerAddress.ts";
import { ExplorerActions } from "./ExplorerActions.tsx";
import { type Answered, type Editors, ExplorerContext, type ExplorerState } from "./explorerState.ts";
import { listExamples } from "./listExamples.ts";
import { QuestionsSection } from "./QuestionsSection.tsx";
import { listSaved, type MinistryTime, type Question, type SavedQuery } from "./savedQueries.ts";

type Answer = { data?: unknown; extensions?: { cost?: { cost: number; limits: { cost: number } } } };

/** The number of rows of an answer; null if it is not a table. */
function rowsOf(data: unknown): number | null {
  const table = readTable(data);
  return typeof table === "string" ? null : table.rows.length;
}

/** GraphiQL updates the operation's name a moment after the text has changed, so an outdated name is left out. */
const ask = async ({ operationName, ...params }: Question): Promise<Answer> => {
  const isThere = operationName && params.query.includes(operationName);
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ ...params, ...(isThere ? { operationName } : {}) }),
  });
  return response.json() as Promise<Answer>;
};

type ExplorerScreenProps = { time: MinistryTime; opened: SavedQuery | null; failure: string };

/** The page of GraphiQL. It is served by the gateway and needs no other host. */
export function ExplorerScreen({ time, opened, failure }: ExplorerScreenProps) {
  const address = useMemo(() => readAddress(location.hash), []);
  const [shape, setShape] = useState<AnswerShape>(address.shape);
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [saved, setSaved] = useState<SavedQuery[]>([]);
  const [current, setCurrent] = useState(opened);
  const [message, setMessage] = useState({ text: failure, isFailure: failure !== "" });
  const [editors, setEditors] = useState<Editors | null>(null);
  const [isDark, chooseDark] = useTheme();
  const say = useCallback((text: string, isFailure = false) => setMessage({ text, isFailure }), []);

  const reload = useCallback(
    () => listSaved().then(setSaved, (error: unknown) => say((error as Error).message, true)),
    [say],
  );
  useEffect(() => {
    void reload();
  }, [reload]);

  // The address always names the present query, so that it can be passed on.
  useEffect(() => {
    const question = shape.chart ? (answered?.question ?? address.question) : null;
    history.replaceState(null, "", addressOf(current?.uuid, question, shape));
  }, [current, shape, answered, address]);

  // Memoized, because GraphiQL starts again with each new fetcher.
  const fetcher = useCallback(async (question: Question): Promise<Answer> => {
    const begun = performance.now();
    const answer = await ask(question);
    // This is GraphiQL's own query for the schema.
    if (/\b__schema\b/.test(question.query)) return answer;
    const cost = answer.extensions?.cost;
    const isThere = answer.data !== null && answer.data !== undefined;
    const measured = { cost: cost?.cost ?? null, mostCost: cost?.limits.cost ?? 0, ms: Math.round(performance.now() - begun) };
    setAnswered(isThere ? { at: now(), question, data: answer.data, rows: rowsOf(answer.data), ...measured } : null);
    // Errors and cost are shown before the data.
    const { data, ...about } = answer;
    return "data" in answer ? { ...about, data } : about;
  }, []);
  // If the address names a chart, its query runs at once.
  const isToRun = useRef(address.shape.chart !== undefined);
  useEffect(() => {
    if (!editors || !isToRun.current) return;
    isToRun.current = false;
    editors.run();
  }, [editors]);

  const state = useMemo<ExplorerState>(() => ({ time, editors, answered, saved, current, setCurrent, reload, say }), [time, editors, answered, saved, current, reload, say]);
  const start = opened ?? address.question;
  const [first] = useMemo(() => listExamples(time.today), [time]);
  // GraphiQL has no default for the variables of its default query.
  useEffect(() => {
    if (editors && first && editors.text() === first.query && editors.variablesText() === "") editors.open(first);
  }, [editors, first]);
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
        <section className="explorer-work" aria-label="Query and answer">
          <ExplorerActions />
          <GraphiQL
            // GraphiQL's type also allows incremental answers, and queries without variables.
            fetcher={fetcher as never}
            referencePlugin={documentation}
            defaultQuery={first?.query}
            query={start?.query}
            variables={start?.variables ? JSON.stringify(start.variables, null, 2) : undefined}
            defaultEditorToolsVisibility="variables"
            isHeadersEditorEnabled={false}
            shouldPersistHeaders={false}
            showPersistHeadersSettings={false}
            forcedTheme={isDark ? "dark" : "light"}
          >
            <GraphiQL.Logo>
              <EditorsBridge onEditors={setEditors} />
            </GraphiQL.Logo>
            <GraphiQL.Toolbar>
              {({ prettify, merge, copy }) => (
                <>
                  {prettify}
                  {merge}
                  {copy}
                  <CostLine />
                </>
              )}
            </GraphiQL.Toolbar>
          </GraphiQL>
          <AnswerSection onShape={setShape} shape={shape} />
        </section>
        <QuestionsSection />
      </main>
    </ExplorerContext>
  );
}
