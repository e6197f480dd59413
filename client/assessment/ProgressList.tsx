import { useFormState, useWatch } from "react-hook-form";
import type { Control } from "react-hook-form";
import { progressOf, sectionNames, sections, wrongIn } from "./formSections.ts";
import type { Progress, SectionName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import { goToSection } from "./FormSection.tsx";
import "./ProgressList.css";

type State = "wrong" | "missing" | "unconfirmed" | "complete" | "empty";

function stateOf({ answered, unconfirmed, missing }: Progress[SectionName], wrong: number): { state: State; text: string } {
  // What is required and missing is wrong too once a save was tried.
  if (wrong > 0) return { state: "wrong", text: `${wrong} to correct` };
  if (missing > 0) return { state: "missing", text: `${missing} required left` };
  if (unconfirmed > 0) return { state: "unconfirmed", text: `${unconfirmed} to confirm` };
  return answered > 0 ? { state: "complete", text: "complete" } : { state: "empty", text: "nothing yet" };
}

/** The form's sections, how far each is, and the way to it. */
export function ProgressList({ control }: { control: Control<FormValues> }) {
  const progress = useWatch({ control, compute: progressOf });
  const { errors } = useFormState({ control });
  return (
    <nav aria-label="Sections" className="progress-list">
      <ol>
        {sectionNames.map((section) => {
          const { state, text } = stateOf(progress[section], wrongIn(errors, section));
          return (
            <li key={section}>
              <button data-state={state} onClick={() => goToSection(section)} type="button">
                <span className="progress-name">{sections[section].short}</span>
                <span className="progress-state">{text}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
