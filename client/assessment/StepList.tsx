import { useFormState, useWatch } from "react-hook-form";
import type { Control } from "react-hook-form";
import { Link, useLocation } from "react-router-dom";
import { progressOf, stepNames, stepOf, steps, wrongFields } from "./formSections.ts";
import type { Progress, StepName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import { searchAt } from "./useSteps.ts";
import "./StepList.css";

type State = "wrong" | "missing" | "unconfirmed" | "complete" | "empty";

function stateOf({ answered, unconfirmed, missing }: Progress, wrong: number): [state: State, words: string] {
  // A missing required answer counts as wrong once somebody has tried to save.
  if (wrong > 0) return ["wrong", `${wrong} to correct`];
  if (missing > 0) return ["missing", `${missing} required left`];
  if (unconfirmed > 0) return ["unconfirmed", `${unconfirmed} to confirm`];
  return answered > 0 ? ["complete", "complete"] : ["empty", "nothing yet"];
}

/** Signs for narrow screens, which have no room for the words. */
const signs: Record<State, string> = { wrong: "✕", missing: "!", unconfirmed: "?", complete: "✓", empty: "" };

type StepListProps = {
  control: Control<FormValues>;
  step: StepName;
  /** called for the step that is shown already */
  onAgain: () => void;
};

/** The form's steps with their progress, each a link that leads there. On a phone a thin bar of numbers. */
export function StepList({ control, step, onAgain }: StepListProps) {
  const { search } = useLocation();
  const progress = useWatch({ control, compute: progressOf });
  const { errors } = useFormState({ control });
  const wrong = wrongFields(errors);
  return (
    <nav aria-label="Steps" className="step-list screen-only">
      <ol className="plain">
        {stepNames.map((name, place) => {
          const isReview = name === "review";
          const [state, words] = stateOf(progress[name], wrong.filter((field) => stepOf(field) === name).length);
          return (
            <li key={name}>
              <Link
                aria-current={name === step ? "step" : undefined}
                data-state={isReview ? undefined : state}
                onClick={() => name === step && onAgain()}
                preventScrollReset
                state={{ from: step }}
                to={{ search: searchAt(search, name) }}
              >
                <span aria-hidden="true" className="step-number">
                  {isReview ? "Review" : place + 1}
                  {isReview ? null : <span className="step-sign">{signs[state]}</span>}
                </span>
                <span className="step-name">{steps[name].title}</span>{" "}
                <span className="step-words">{isReview ? "and save" : words}</span>
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
