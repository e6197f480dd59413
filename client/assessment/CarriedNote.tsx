import { Button, Callout, Size } from "@blueprintjs/core";
import { useEffect, useId, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { clear, confirm, confirmAll, groupOf, groupsOf, isOffered, take, unconfirmedOf } from "./carried.ts";
import type { CarriedGroup, OfferedName } from "./carried.ts";
import { labels, valueText } from "./fieldLabels.ts";
import { goToSection } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";

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
      <Button aria-describedby={id} onClick={act(confirm, "Confirmed")} size={Size.SMALL} text="Still true" />
      <Button aria-describedby={id} onClick={act(clear, "Cleared")} size={Size.SMALL} text="Clear" />
    </div>
  );
}

/** Says what a new assessment begins with, and what becomes of it. */
export function LastVisitNotice({ form }: FormProps) {
  const carried = useWatch({ control: form.control, name: "carried" });
  if (!carried?.fields.length) return null;
  const clearAll = () => {
    clear(form, () => true);
    goToSection("power");
  };
  return (
    <Callout className="row is-spread screen-only" icon={null} intent="primary">
      <p>
        Filled in from the visit of {formatDate(carried.date)}: {groupsOf(carried.fields).join(", ")}. Confirm or change
        what is marked. What is still marked when you save is left out of this visit.
      </p>
      <Button onClick={clearAll} text="Clear all of it" />
    </Callout>
  );
}

/**
 * How many answers of the last visit will not be saved because nobody has confirmed them, and a button that confirms
 * them all.
 */
export function UnconfirmedNote({ form, lastVisit, onConfirmed }: OfferProps & { onConfirmed: () => void }) {
  const { control } = form;
  const count = useWatch({ control, compute: (values) => unconfirmedOf(values, lastVisit) });
  const carried = useWatch({ control, name: "carried" });
  if (count === 0) return null;
  // A draft may be older than the last visit.
  const dates = new Set([
    ...(carried?.fields.length ? [carried.date] : []),
    ...(lastVisit ? [lastVisit.assessmentDate] : []),
  ]);
  const all = () => {
    confirmAll(form, lastVisit);
    onConfirmed();
  };
  return (
    <div className="unconfirmed row warn">
      <span>
        {count === 1 ? "1 answer" : `${count} answers`} from {[...dates].map(formatDate).join(" and ")} not confirmed,
        to be left out
      </span>
      <Button onClick={all} size={Size.SMALL} text="All still true" />
    </div>
  );
}

/** A comment may have a thousand characters. */
const most = 120;
const shortened = (text: string) => (text.length > most ? `${text.slice(0, most).trimEnd()} …` : text);

/** Focuses a field; of a choice the chosen one. */
function focusOn(name: OfferedName): void {
  const inputs = [...document.getElementsByName(name)] as HTMLInputElement[];
  (inputs.find(({ type, checked }) => type === "radio" && checked) ?? inputs[0])?.focus();
}

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
    focusOn(name);
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
