import { Button, Callout } from "@blueprintjs/core";
import { MoreIcon } from "@blueprintjs/icons";
import { useEffect, useId, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { PopoverButton } from "../ui/form/PopoverButton.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { clear, confirmAnswers, isOffered, sectionOf, take, unconfirmedOf } from "./carried.ts";
import type { OfferedName } from "./carried.ts";
import { labels, valueText } from "./fieldLabels.ts";
import { sections } from "./formSections.ts";
import type { SectionName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";
import { focusField } from "./useSteps.ts";

/** What the form says about answers of the last visit: those that it begins with, and those that it offers. */

type OfferProps = { form: UseFormReturn<FormValues>; lastVisit: LastVisit | null };

/** What nobody has confirmed, of one section or of all, and how that is said; no words if there is nothing. */
function useUnconfirmed({ form: { control }, lastVisit }: OfferProps, section?: SectionName) {
  const isMeant = (field: string) => section === undefined || sectionOf(field) === section;
  const { carried, offered, date } = useWatch({
    control,
    compute: (values) => {
      const found = unconfirmedOf(values, lastVisit);
      return {
        carried: found.carried.filter(isMeant),
        offered: found.offered.filter(isMeant),
        date: values.carried?.date,
      };
    },
  });
  const count = carried.length + offered.length;
  // A draft may be older than the last visit.
  const dates = new Set([
    ...(carried.length > 0 && date ? [date] : []),
    ...(offered.length > 0 && lastVisit ? [lastVisit.assessmentDate] : []),
  ]);
  const words = `${count === 1 ? "1 answer" : `${count} answers`} from ${[...dates].map(formatDate).join(" and ")} not confirmed`;
  return { isMeant, carried, offered, words: count > 0 ? words : "" };
}

/** A comment may have a thousand characters. */
const most = 120;
const shortened = (text: string) => (text.length > most ? `${text.slice(0, most).trimEnd()} …` : text);
const answerText = (name: OfferedName, { content }: LastVisit) =>
  shortened(valueText(name, content[name])) || "not known";

/**
 * How many answers of the last visit a section has that nobody has confirmed. One touch confirms all of them; behind
 * the other button are the offered ones singly, and clearing those that are filled in.
 */
export function CarriedNote({ section, form, lastVisit }: OfferProps & { section: SectionName }) {
  const id = useId();
  const { isMeant, carried, offered, words } = useUnconfirmed({ form, lastVisit }, section);
  const [done, setDone] = useState("");
  const place = useRef<HTMLDivElement>(null);
  // The pressed button is gone, so the focus moves to what replaced it.
  useEffect(() => {
    if (done) place.current?.focus();
  }, [done]);
  if (!words)
    return done ? (
      <div className="note" ref={place} tabIndex={-1}>
        {done}
      </div>
    ) : null;
  const confirm = () => {
    confirmAnswers(form, lastVisit, isMeant);
    setDone("Confirmed");
  };
  const empty = () => {
    clear(form, isMeant);
    setDone("Cleared");
  };
  const takeOver = (name: OfferedName) => {
    take(form, name, lastVisit!.content);
    // A field that was marked as wrong because it was empty is right now.
    if (form.getFieldState(name).invalid) void form.trigger(name);
    focusField(name);
  };
  return (
    <div className="carried-note row is-close note">
      <span id={id}>{words}</span>
      <Button
        aria-describedby={id}
        aria-label={`Still right: ${sections[section]}`}
        onClick={confirm}
        text="Still right"
      />
      {offered.length === 0 ? (
        <Button aria-describedby={id} aria-label={`Clear: ${sections[section]}`} onClick={empty} text="Clear" />
      ) : (
        <PopoverButton
          aria-label={`One by one: ${sections[section]}`}
          icon={<MoreIcon />}
          side="end"
          title="One by one"
        >
          {(close) => (
            <ul className="last-answers plain">
              {offered.map((name) => (
                <li key={name}>
                  <Button
                    alignText="start"
                    onClick={() => {
                      close();
                      takeOver(name);
                    }}
                    text={`${labels[name]}: ${answerText(name, lastVisit!)}`}
                    variant="minimal"
                  />
                </li>
              ))}
              {carried.length > 0 ? (
                <li>
                  <Button
                    alignText="start"
                    onClick={() => {
                      close();
                      clear(form, isMeant);
                    }}
                    text="Clear what is filled in"
                    variant="minimal"
                  />
                </li>
              ) : null}
            </ul>
          )}
        </PopoverButton>
      )}
    </div>
  );
}

/** The same for all sections, which one touch confirms. `onConfirmed` is called when this note is gone. */
export function LastVisitNote({ form, lastVisit, onConfirmed }: OfferProps & { onConfirmed: () => void }) {
  const { words } = useUnconfirmed({ form, lastVisit });
  if (!words) return null;
  const confirm = () => {
    confirmAnswers(form, lastVisit);
    onConfirmed();
  };
  return (
    <Callout className="last-visit screen-only" icon={null} intent="primary">
      <span>{words}, to be left out</span>
      <Button onClick={confirm} text="All still right" />
    </Callout>
  );
}

/** The last visit's answer, beside the empty field. The answer has to be checked at each visit and may be the same. */
export function LastAnswerWords({ name, lastVisit, form }: OfferProps & { name: OfferedName }) {
  const isShown = useWatch({
    control: form.control,
    compute: (values) => lastVisit !== null && isOffered(name, values, lastVisit.content),
  });
  return lastVisit && isShown ? (
    <span className="note">
      On {formatDate(lastVisit.assessmentDate)}: {answerText(name, lastVisit)}
    </span>
  ) : null;
}
