import { useEffect, useState } from "react";

import { type Answered, type Editors, useExplorer } from "./explorerState.ts";
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

/** Beside Execute: the estimated cost and rows of the query in the editor, and after its answer the actual ones. */
export function CostLine() {
  const { editors, answered } = useExplorer();
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

  if (answered && editors && isOf(answered, editors)) {
    const { rows, cost, mostCost, ms } = answered;
    return (
      <p className="explorer-cost" role="status">
        {rows === null ? "Answered" : rows === 1 ? "1 row" : `${number(rows)} rows`}
        {cost !== null && ` · cost ${number(cost)} of ${number(mostCost)}`} · {number(ms)} ms
      </p>
    );
  }
  if (!measured) return <p className="explorer-cost" role="status" />;
  const { nodes, cost, mostCost, errors } = measured;
  const isOver = errors.length > 0;
  return (
    <p className="explorer-cost" data-failure={isOver} role="status">
      {cost !== null && `Costs up to ${number(cost)} of ${number(mostCost)}, for up to ${number(nodes ?? 0)} rows`}
      {isOver && `${cost === null ? "" : ". "}${errors[0]!.message}`}
    </p>
  );
}
