import { Button } from "@blueprintjs/core";
import { useFormState, useWatch } from "react-hook-form";
import type { Control, UseFormReturn } from "react-hook-form";
import { labels } from "./fieldLabels.ts";
import { goToSection, missingOf, progressOf, sectionNames, sections, wrongIn } from "./formSections.ts";
import type { Progress, SectionName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import "./ProgressList.css";

type State = "wrong" | "missing" | "unconfirmed" | "complete" | "empty";

function stateOf(
  { answered, unconfirmed, missing }: Progress[SectionName],
  wrong: number,
): [state: State, count: number, words: string] {
  // A missing required answer counts as wrong once somebody has tried to save.
  if (wrong > 0) return ["wrong", wrong, "to correct"];
  if (missing > 0) return ["missing", missing, "required left"];
  if (unconfirmed > 0) return ["unconfirmed", unconfirmed, "to confirm"];
  return answered > 0 ? ["complete", 0, "complete"] : ["empty", 0, "nothing yet"];
}

/** Signs for narrow screens, which have no room for the words. They are beside a count, or alone. */
const signs: Record<State, string> = { wrong: "✕", missing: "left", unconfirmed: "?", complete: "✓", empty: "–" };

/** The form's sections with their progress, each a link to its section. */
export function ProgressList({ control }: { control: Control<FormValues> }) {
  const progress = useWatch({ control, compute: progressOf });
  const { errors } = useFormState({ control });
  return (
    <nav aria-label="Sections" className="progress-list screen-only">
      <ol className="plain">
        {sectionNames.map((section) => {
          const [state, count, words] = stateOf(progress[section], wrongIn(errors, section));
          return (
            <li key={section}>
              <button data-state={state} onClick={() => goToSection(section)} type="button">
                <span className="progress-name">{sections[section].short}</span>
                <span className="progress-state">
                  {count || null} <span className="progress-words">{words}</span>
                  <span aria-hidden="true" className="only-narrow">
                    {signs[state]}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** How many required answers are missing, with a link to each. */
export function RequiredLeftNote({ form: { control, setFocus } }: { form: UseFormReturn<FormValues> }) {
  const missing = useWatch({ control, compute: missingOf });
  return (
    <div className={missing.length ? "required-left row" : "visually-hidden"}>
      <span role="status">
        {missing.length ? `${missing.length} required ${missing.length === 1 ? "answer" : "answers"} left` : null}
      </span>
      {missing.map((name) => (
        <Button
          intent="primary"
          key={name}
          onClick={() => setFocus(name)}
          size="small"
          text={labels[name]}
          variant="minimal"
        />
      ))}
    </div>
  );
}
