import { useEffect, useState } from "react";
import { type Answered, type Editors, type ExplorerState } from "./explorerState.ts";
import { measure, type Measured } from "./savedQueries.ts";

const restMs = 500;
const number = (value: number) => value.toLocaleString("en");

/** Whether an answer belongs to the query in the editors. */
function isOf({ question }: Answered, editors: Editors): boolean {
  try {
    const { query, variables } = editors.read();
    return question.query === query && JSON.stringify(question.variables ?? {}) === JSON.stringify(variables ?? {});
  } catch {
    return false;
  }
}

/** The cost of the query in the editors. An incomplete query has none. */
async function priceOf(editors: Editors): Promise<Measured | null> {
  try {
    const question = editors.read();
    return question.query.trim() === "" ? null : await measure(question);
  } catch {
    return null;
  }
}

function answeredText({ table, cost, mostCost, ms }: Answered): string {
  const rows =
    typeof table === "string" ? "Answered" : table.rows.length === 1 ? "1 row" : `${number(table.rows.length)} rows`;
  return `${rows}${cost === null ? "" : ` · cost ${number(cost)} of ${number(mostCost)}`} · ${number(ms)} ms`;
}

function measuredText({ nodes, cost, mostCost, errors }: Measured): string {
  const price =
    cost === null ? [] : [`Costs up to ${number(cost)} of ${number(mostCost)}, for up to ${number(nodes ?? 0)} rows`];
  return [...price, ...errors.slice(0, 1).map(({ message }) => message)].join(". ");
}

/** The estimated cost and rows of the query in the editor, and after its answer the actual ones. */
export function CostLine({ editors, answered }: ExplorerState) {
  const [measured, setMeasured] = useState<Measured | null>(null);
  const [edits, setEdits] = useState(0);
  useEffect(() => {
    return editors?.onEdit(() => setEdits((count) => count + 1));
  }, [editors]);
  useEffect(() => {
    if (!editors) return;
    let isGone = false;
    const timer = setTimeout(() => {
      void priceOf(editors).then((found) => isGone || setMeasured(found));
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [editors, edits]);

  const isAnswered = answered && editors && isOf(answered, editors);
  return (
    <p
      className="explorer-cost"
      data-failure={!isAnswered && measured !== null && measured.errors.length > 0}
      role="status"
    >
      {isAnswered ? answeredText(answered) : measured && measuredText(measured)}
    </p>
  );
}
