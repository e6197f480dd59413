import { Button, Intent } from "@blueprintjs/core";
import { useEffect, useId, useRef, useState } from "react";
import { changesBetween } from "../../gateway/assessment/content.rules.ts";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import { formatDate, formatTime } from "../ui/dates.ts";
import { labelOf, valueText } from "./fieldLabels.ts";
import type { StoredAssessment } from "./saveAssessment.ts";

type Choice = "mine" | "theirs";
type ConflictSectionProps = {
  /** the state that both began from */
  base: Content;
  mine: Content;
  theirs: Content;
  stored: StoredAssessment;
  areaName: (serviceAreaId: number) => string;
  /** the fields whose stored value is taken; all others stay as they are in the form */
  onSettle: (fieldsOfTheirs: string[]) => void;
};

/** Two states of one assessment, field by field, to choose from. Where only one of the two changed a field, that change is proposed. */
export function ConflictSection({ base, mine, theirs, stored, areaName, onSettle }: ConflictSectionProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const changedHere = new Set(changesBetween(base, mine).map(({ field }) => field));
  const differences = changesBetween(mine, theirs);
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const chosen = (field: string): Choice => choices[field] ?? (changedHere.has(field) ? "mine" : "theirs");
  const last = stored.revisions[0];

  useEffect(() => heading.current?.focus(), []);

  return (
    <section aria-labelledby={id} className="card form-section conflict">
      <h2 id={id} ref={heading} tabIndex={-1}>
        Somebody else changed this assessment
      </h2>
      <p>
        {last
          ? `${last.userName} saved it on ${formatDate(last.revisionDate)} at ${formatTime(last.revisionTime)}, after you opened it.`
          : "It was saved after you opened it."}{" "}
        Nothing of yours is lost: choose what is to stay, field by field, and save again.
      </p>
      <div className="conflict-fields">
        {differences.map(({ field, from, to }) => {
          const name = field.split(".").at(-1)!;
          const options: { choice: Choice; title: string; text: string }[] = [
            { choice: "mine", title: "Yours", text: valueText(name, from) },
            { choice: "theirs", title: "Stored now", text: valueText(name, to) },
          ];
          return (
            <fieldset key={field}>
              <legend>{labelOf(field, areaName)}</legend>
              {options.map(({ choice, title, text }) => (
                <label className="conflict-choice" key={choice}>
                  <input
                    checked={chosen(field) === choice}
                    name={`${id}-${field}`}
                    onChange={() => setChoices((now) => ({ ...now, [field]: choice }))}
                    type="radio"
                  />
                  <span>
                    <span className="conflict-title">{title}</span> {text || <span className="form-note">nothing</span>}
                  </span>
                </label>
              ))}
            </fieldset>
          );
        })}
      </div>
      <div>
        <Button
          intent={Intent.PRIMARY}
          onClick={() => onSettle(differences.map(({ field }) => field).filter((field) => chosen(field) === "theirs"))}
          text="Save with these choices"
        />
      </div>
    </section>
  );
}
