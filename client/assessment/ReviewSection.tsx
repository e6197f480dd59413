import { Button, Callout, HTMLTable } from "@blueprintjs/core";
import { useDeferredValue } from "react";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import type { Unusual } from "../../gateway/assessment/unusual.rules.ts";
import { labels } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import { missingOf } from "./formSections.ts";
import { contentOfForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import { actionRows, reviewRows } from "./review.ts";
import { useIsShown } from "./useSteps.ts";
import "./ReviewSection.css";

type ReviewProps = {
  form: UseFormReturn<FormValues>;
  areaName: (serviceAreaId: number) => string;
  /** what the visit is compared with, and what that is called */
  compared: { content: Content; title: string } | null;
  /** the answers that are asked about, and what records that one is right */
  asked: readonly Unusual[];
  onAccept: (one: Unusual) => void;
  onGoToField: (name: string) => void;
};

/** The name of the buttons that say that an unusual answer is right, by which the form finds the first one. */
export const acceptName = "accept";

/** Asks whether an answer is right that is far from usual. */
function UnusualNote({ one, onAccept, onGoToField }: { one: Unusual } & Pick<ReviewProps, "onAccept" | "onGoToField">) {
  return (
    <Callout className="row is-spread" icon={null} intent="warning">
      <p>{one.question}</p>
      <div className="row">
        <Button name={acceptName} onClick={() => onAccept(one)} text="Yes, it is right" />
        <Button onClick={() => onGoToField(one.field)} text="Correct it" />
      </div>
    </Callout>
  );
}

/** What is going to be saved beside what it is compared with, and what has no answer, each leading to its field. */
function ReviewTable({ form: { control }, areaName, compared, onGoToField }: Omit<ReviewProps, "asked" | "onAccept">) {
  const now = useDeferredValue(useWatch({ control, compute: contentOfForm }));
  const missing = useWatch({ control, compute: missingOf });
  const rows = reviewRows(now, compared?.content ?? null, areaName);
  const actions = useWatch({ control, name: "actions" });
  const answered = [...rows.filter((row) => row.now !== ""), ...actionRows(actions)];
  const open = rows.filter(({ now: text, field }) => text === "" && !missing.some((name) => name === field));
  const link = (field: string, label: string) => (
    <Button key={field} onClick={() => onGoToField(field)} text={label} variant="minimal" intent="primary" />
  );
  return (
    <>
      <div className={missing.length ? undefined : "visually-hidden"}>
        <p className="bad" role="status">
          {missing.length ? `${missing.length} required ${missing.length === 1 ? "answer" : "answers"} left` : null}
        </p>
        <div className="review-open">{missing.map((name) => link(name, labels[name]))}</div>
      </div>
      {answered.length ? (
        <HTMLTable className="review-table" compact>
          <thead>
            <tr>
              <th scope="col">Answer</th>
              <th scope="col">Now</th>
              {compared ? <th scope="col">{compared.title}</th> : null}
            </tr>
          </thead>
          <tbody>
            {answered.map(({ field, label, now: text, last }) => {
              const isChanged = compared !== null && last !== null && text !== last;
              return (
                <tr className={isChanged ? "is-changed" : undefined} key={field}>
                  <th scope="row">{link(field, label)}</th>
                  <td>
                    {text} {isChanged ? <span className="review-mark">changed</span> : null}
                  </td>
                  {compared ? <td>{last === null ? null : last || <span className="soft">no answer</span>}</td> : null}
                </tr>
              );
            })}
          </tbody>
        </HTMLTable>
      ) : null}
      {open.length ? (
        <div aria-label="No answer" role="group">
          <p className="soft">No answer:</p>
          <div className="review-open">{open.map(({ field, label }) => link(field, label))}</div>
        </div>
      ) : null}
    </>
  );
}

/** The visit before it is saved. `said`: what the last attempt to save has to say. `exporting`: the button that exports. */
export function ReviewSection({
  asked,
  onAccept,
  said,
  exporting,
  ...props
}: ReviewProps & { said: ReactNode; exporting: ReactNode }) {
  const isShown = useIsShown("review");
  return (
    <FormSection name="review" of={["review"]}>
      {asked.map((one) => (
        <UnusualNote key={one.question} one={one} onAccept={onAccept} onGoToField={props.onGoToField} />
      ))}
      {said}
      {isShown ? <ReviewTable {...props} /> : null}
      {exporting}
    </FormSection>
  );
}
