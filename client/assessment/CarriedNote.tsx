import { Button, Callout } from "@blueprintjs/core";
import { useEffect, useId, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { carriedGroups, clear, confirm, confirmAll, groupOf, isOffered, take, unconfirmedOf } from "./carried.ts";
import type { CarriedGroup, OfferedName } from "./carried.ts";
import { labels, valueText } from "./fieldLabels.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";
import { focusField } from "./useSteps.ts";

/** What the form says about answers of the last visit: those that it begins with, and those that it offers. */

type FormProps = { form: UseFormReturn<FormValues> };
type OfferProps = FormProps & { lastVisit: LastVisit | null };

/** Says that a group of answers is from the last visit. Its buttons confirm or clear all of them at once. */
export function CarriedNote({ group, form }: FormProps & { group: CarriedGroup }) {
  const id = useId();
  const isMeant = (field: string) => groupOf(field) === group;
  const date = useWatch({
    control: form.control,
    name: "carried",
    compute: (carried) => (carried?.fields.some(isMeant) ? carried.date : ""),
  });
  const [done, setDone] = useState("");
  const place = useRef<HTMLDivElement>(null);
  // The pressed button is gone, so the focus moves to what replaced it.
  useEffect(() => {
    if (done) place.current?.focus();
  }, [done]);
  const act = (what: typeof confirm, outcome: string) => () => {
    what(form, isMeant);
    setDone(outcome);
  };
  if (!date)
    return done ? (
      <div className="note" ref={place} tabIndex={-1}>
        {done}
      </div>
    ) : null;
  return (
    <div className="row note">
      <span id={id}>From the visit of {formatDate(date)}, not confirmed</span>
      <Button
        aria-describedby={id}
        aria-label={`Still right: ${carriedGroups[group]}`}
        onClick={act(confirm, "Confirmed")}
        text="Still right"
      />
      <Button
        aria-describedby={id}
        aria-label={`Clear ${carriedGroups[group]}`}
        onClick={act(clear, "Cleared")}
        text="Clear"
      />
    </div>
  );
}

type LastVisitNoteProps = OfferProps & {
  /** called after all of them were confirmed, when this note is gone */
  onConfirmed: () => void;
  /** called after all of them were cleared */
  onCleared: () => void;
};

/**
 * How many answers of the last visit nobody has confirmed, carried-over and offered ones, and buttons that confirm all
 * of them, or clear those with which the form began.
 */
export function LastVisitNote({ form, lastVisit, onConfirmed, onCleared }: LastVisitNoteProps) {
  const { control } = form;
  const count = useWatch({ control, compute: (values) => unconfirmedOf(values, lastVisit) });
  const carried = useWatch({ control, name: "carried" });
  if (count === 0) return null;
  const isFilled = Boolean(carried?.fields.length);
  // A draft may be older than the last visit.
  const dates = new Set([...(isFilled ? [carried!.date] : []), ...(lastVisit ? [lastVisit.assessmentDate] : [])]);
  const all = () => {
    confirmAll(form, lastVisit);
    onConfirmed();
  };
  const none = () => {
    clear(form, () => true);
    onCleared();
  };
  return (
    <Callout className="last-visit screen-only" icon={null} intent="primary">
      <span>
        {count === 1 ? "1 answer" : `${count} answers`} from {[...dates].map(formatDate).join(" and ")} not confirmed,
        to be left out
      </span>
      <Button onClick={all} text="All still right" />
      {isFilled ? <Button aria-label="Clear what is filled in" onClick={none} text="Clear" /> : null}
    </Callout>
  );
}

/** A comment may have a thousand characters. */
const most = 120;
const shortened = (text: string) => (text.length > most ? `${text.slice(0, most).trimEnd()} …` : text);

/** The last visit's answer, offered as a button. The answer has to be checked at each visit and may be the same. */
export function LastAnswerHint({ name, lastVisit, form }: OfferProps & { name: OfferedName }) {
  const isShown = useWatch({
    control: form.control,
    compute: (values) => lastVisit !== null && isOffered(name, values, lastVisit.content),
  });
  if (!lastVisit || !isShown) return null;
  const { assessmentDate, content } = lastVisit;
  const takeOver = () => {
    take(form, name, content);
    // A field that was marked as wrong because it was empty is right now.
    if (form.getFieldState(name).invalid) void form.trigger(name);
    focusField(name);
  };
  return (
    <Button
      alignText="start"
      className="last-answer"
      intent="primary"
      onClick={takeOver}
      size="small"
      title={labels[name]}
      variant="minimal"
    >
      Same as on {formatDate(assessmentDate)}: {shortened(valueText(name, content[name])) || "not known"}
    </Button>
  );
}
