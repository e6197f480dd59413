import type { AnswerShape } from "../query/answerShape.ts";
import { AnswerPanel } from "../query/AnswerPanel.tsx";
import { instantText } from "../ui/text/instants.ts";
import { addressOf } from "./explorerAddress.ts";
import { useExplorer } from "./explorerState.ts";

/** The title of an answer: the operation's name, the first comment of the query, or a fixed word. */
const titleOf = (query: string, name: string | undefined) => name ?? /^\s*#\s*(.+)/.exec(query)?.[1] ?? /\b(?:query)\s+(\w+)/.exec(query)?.[1] ?? "Answer";

/** The last answer as a table or a chart, below the editors. */
export function AnswerSection({ shape, onShape }: { shape: AnswerShape; onShape: (shape: AnswerShape) => void }) {
  const { time, answered, current } = useExplorer();
  if (!answered) return null;
  return (
    <div className="explorer-answer">
      <AnswerPanel
        data={answered.data}
        link={addressOf(current?.uuid, answered.question, shape)}
        notes={[`Figures as at ${instantText(answered.at, time.timeZone)}`]}
        onShape={onShape}
        shape={shape}
        title={titleOf(answered.question.query, current?.name)}
      />
    </div>
  );
}
