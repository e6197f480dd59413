import { Button, Size } from "@blueprintjs/core";
import { useEffect, useId, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { clear, confirm, groupOf } from "./carried.ts";
import type { CarriedGroup } from "./carried.ts";
import type { FormValues } from "./formValues.ts";

type CarriedNoteProps = { group: CarriedGroup; form: UseFormReturn<FormValues> };

/** Says that a group of answers is from the last visit. Its buttons confirm or clear all of them at once. */
export function CarriedNote({ group, form }: CarriedNoteProps) {
  const id = useId();
  const isMeant = (field: string) => groupOf(field) === group;
  const date = useWatch({ control: form.control, name: "carried", compute: (carried) => (carried?.fields.some(isMeant) ? carried.date : "") });
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
