import { AnchorButton, Callout } from "@blueprintjs/core";
import { GraphiQL } from "graphiql";
import { useCallback, useEffect, useMemo, useState } from "react";
import { AnswerSheet } from "../query/AnswerSheet.tsx";
import { readTable } from "../query/answerTable.ts";
import { heardFetch } from "../ui/network/heardFetch.ts";
import { explorerOf } from "../routes.ts";
import { useTheme } from "../shell/theme/theme.ts";
import { ThemeButton } from "../shell/theme/ThemeButton.tsx";
import { CostLine } from "./CostLine.tsx";
import { EditorsBridge } from "./EditorsBridge.tsx";
import { type Example, readExample, readQuestions } from "./examples.ts";
import { ExplorerActions } from "./ExplorerActions.tsx";
import type { Answered, Editors, ExplorerState } from "./explorerState.ts";
import { QuestionsMenu } from "./QuestionsMenu.tsx";
import { listSaved, type Question, type SavedQuery } from "./savedQueries.ts";
import { SavedQueryBar } from "./SavedQueryBar.tsx";

const files = import.meta.glob<string>("./examples/*.graphql", { eager: true, query: "?raw", import: "default" });

const pages = import.meta.glob<string>("../../docs/questions.md", { eager: true, query: "?raw", import: "default" });

/** The example queries, in the order of their file names, and those of docs/questions.md. */
const listExamples = (today: string): Example[] => [
  ...Object.entries(files)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([path, text]) => readExample(path, text, today)),
  ...Object.values(pages).flatMap(readQuestions),
];

/**
 * The query in an address after the `#`, which is not sent to the server. A saved query is named before it (`?saved=`).
 */
function questionIn(hash: string): Question | null {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const query = params.get("query");
  let variables: Question["variables"] = null;
  try {
    variables = JSON.parse(params.get("variables") ?? "null") as Question["variables"];
  } catch {
    // The address was cut off. The query is opened without variables.
  }
  return query ? { query, variables, operationName: params.get("operationName") } : null;
}

type Answer = { data?: unknown; extensions?: { cost?: { cost: number; limits: { cost: number } } } };

/** GraphiQL updates the operation's name a moment after the text has changed, so an outdated name is left out. */
const ask = async ({ operationName, ...params }: Question): Promise<Answer> => {
  const isThere = operationName && params.query.includes(operationName);
  const response = await heardFetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ ...params, ...(isThere ? { operationName } : {}) }),
  });
  return response.json() as Promise<Answer>;
};

/** The title of an answer: the first comment of its query, the operation's name, or a fixed word. */
const titleOf = ({ query }: Question) =>
  /^\s*#\s*(.+)/.exec(query)?.[1] ?? /\bquery\s+(\w+)/.exec(query)?.[1] ?? "Answer";

type ExplorerScreenProps = { today: string; opened: SavedQuery | null; failure: string };

/** The page of GraphiQL. It is served by the gateway and needs no other host. */
export function ExplorerScreen({ today, opened, failure }: ExplorerScreenProps) {
  const [start] = useState(() => opened ?? questionIn(location.hash));
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [sort, setSort] = useState<string>();
  const [saved, setSaved] = useState<SavedQuery[]>([]);
  const [current, setOpen] = useState(opened);
  const [message, setMessage] = useState({ text: failure, isFailure: failure !== "" });
  const [editors, setEditors] = useState<Editors | null>(null);
  const [isDark] = useTheme();
  const say = useCallback((text: string, isFailure = false) => setMessage({ text, isFailure }), []);
  const reload = useCallback(
    () => listSaved().then(setSaved, (error: unknown) => say((error as Error).message, true)),
    [say],
  );
  useEffect(() => {
    void reload();
  }, [reload]);

  // The address names the saved query that is open, so that it can be passed on.
  const setCurrent = useCallback((query: SavedQuery | null) => {
    setOpen(query);
    history.replaceState(null, "", query ? explorerOf(query.uuid) : "/graphql");
  }, []);

  // Memoized, because GraphiQL starts again with each new fetcher.
  const fetcher = useCallback(async (question: Question): Promise<Answer> => {
    const begun = performance.now();
    const answer = await ask(question);
    // This is GraphiQL's own query for the schema.
    if (/\b__schema\b/.test(question.query)) return answer;
    const cost = answer.extensions?.cost;
    const measured = {
      cost: cost?.cost ?? null,
      mostCost: cost?.limits.cost ?? 0,
      ms: Math.round(performance.now() - begun),
    };
    setAnswered(answer.data ? { question, table: readTable(answer.data), ...measured } : null);
    // Errors and cost are shown before the data.
    const { data, ...about } = answer;
    return "data" in answer ? { ...about, data } : about;
  }, []);

  // An address with a part after the # shows an answer at once, as the addresses of charts did. It never changes
  // anything.
  useEffect(() => {
    if (editors && start && location.hash !== "" && !/\bmutation\b/.test(start.query)) editors.run();
  }, [editors, start]);

  const examples = useMemo(() => listExamples(today), [today]);
  const [first] = examples;
  // GraphiQL has no default for the variables of its default query.
  useEffect(() => {
    if (first && editors?.hold(first.query)) editors.open(first);
  }, [editors, first]);
  const state: ExplorerState = { examples, editors, answered, saved, current, setCurrent, reload, say };
  return (
    <>
      <header className="explorer-bar row">
        <h1>GraphQL explorer</h1>
        <QuestionsMenu {...state} />
        <ExplorerActions {...state} />
        <ThemeButton />
        <AnchorButton href="/" text="Back to the platform" variant="minimal" />
      </header>
      <div role={message.isFailure ? "alert" : "status"}>
        {message.text && <Callout intent={message.isFailure ? "danger" : "success"}>{message.text}</Callout>}
      </div>
      <main>
        {current && <SavedQueryBar {...state} key={current.uuid} query={current} />}
        <GraphiQL
          // GraphiQL's type also allows incremental answers, and queries without variables.
          fetcher={fetcher as never}
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
          <GraphiQL.Footer>
            <CostLine {...state} />
          </GraphiQL.Footer>
        </GraphiQL>
        {answered && (
          <section aria-label="Answer as a table" className="explorer-answer stack is-close">
            <AnswerSheet
              caption={current?.name ?? titleOf(answered.question)}
              onSort={setSort}
              sort={sort}
              table={answered.table}
            />
          </section>
        )}
      </main>
    </>
  );
}
