import { Button, Card, Intent, Radio } from "@blueprintjs/core";
import { useEffect, useId, useRef, useState } from "react";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { labelOf, valueText } from "./fieldLabels.ts";
import { blankForm, changesByPerson, contentOfForm } from "./formValues.ts";
import type { StoredAssessment } from "./saveAssessment.ts";

type Choice = "mine" | "theirs";
type ConflictSectionProps = {
  /** the state that both began from; null where both were new */
  base: Content | null;
  mine: Content;
  theirs: Content;
  stored: StoredAssessment;
  areaName: (serviceAreaId: number) => string;
  /** the fields whose stored value is taken; all others stay as they are in the form */
  onSettle: (fieldsOfTheirs: string[]) => void;
};

/**
 * Two states of one assessment, field by field, to choose from. Where only one of the two changed a field, that change
 * is proposed.
 */
export function ConflictSection({ base, mine, theirs, stored, areaName, onSettle }: ConflictSectionProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const changedHere = new Set(
    changesByPerson(base ?? contentOfForm(blankForm(mine.serviceAreaAssessments)), mine).map(({ field }) => field),
  );
  const areasOfTheirs = new Set(theirs.serviceAreaAssessments.map(({ serviceAreaId }) => String(serviceAreaId)));
  const isOfArea = (field: string) => field.startsWith("serviceAreaAssessments.");
  const hasPlace = ({ field }: { field: string }) => !isOfArea(field) || areasOfTheirs.has(field.split(".")[1]!);
  const all = changesByPerson(mine, theirs);
  const differences = all.filter(hasPlace);
  const placeless = all.filter((change) => !hasPlace(change) && change.from !== null);
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const chosen = (field: string): Choice => choices[field] ?? (changedHere.has(field) ? "mine" : "theirs");
  const last = stored.revisions[0];
  const since = base ? "after you opened it" : "from another window or before an answer was lost";

  // After the heading of the screen, which takes the focus if the screen was just opened.
  useEffect(() => {
    const frame = requestAnimationFrame(() => heading.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);

  return (
    <Card aria-labelledby={id} className="stack" role="region">
      <h2 id={id} ref={heading} tabIndex={-1}>
        {base ? "This assessment was changed meanwhile" : "This assessment is stored already, with other values"}
      </h2>
      <p>
        {last
          ? `${last.userName} saved it on ${formatDate(last.revisionDate)} at ${formatTime(last.revisionTime)}, ${since}.`
          : `${stored.userName} saved it on ${formatDate(stored.receivedDate)} at ${formatTime(stored.receivedTime)}, ${since}.`}{" "}
        Nothing of yours is lost: choose what is to stay, field by field, and save again.
      </p>
      <div className="stack">
        {differences.map(({ field, from, to }) => {
          const name = field.split(".").at(-1)!;
          const options: { choice: Choice; title: string; text: string }[] = [
            { choice: "mine", title: "Yours", text: valueText(name, from) },
            { choice: "theirs", title: "Stored now", text: valueText(name, to) },
          ];
          return (
            <fieldset className="grid" key={field}>
              <legend>{labelOf(field, areaName)}</legend>
              {options.map(({ choice, title, text }) => (
                <Radio
                  checked={chosen(field) === choice}
                  key={choice}
                  name={`${id}-${field}`}
                  onChange={() => setChoices((now) => ({ ...now, [field]: choice }))}
                >
                  <span className="note">{title}</span> {text || <span className="note">nothing</span>}
                </Radio>
              ))}
            </fieldset>
          );
        })}
      </div>
      {placeless.length ? (
        <p>
          The stored assessment has no entry for these, so they cannot stay:{" "}
          {placeless
            .map(({ field, from }) => `${labelOf(field, areaName)} ${valueText(field.split(".").at(-1)!, from)}`)
            .join("; ")}
          .
        </p>
      ) : null}
      <div>
        <Button
          intent={Intent.PRIMARY}
          onClick={() => onSettle(differences.map(({ field }) => field).filter((field) => chosen(field) === "theirs"))}
          text="Save with these choices"
        />
      </div>
    </Card>
  );
}
