import { Button, Size } from "@blueprintjs/core";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { confirmAll, unconfirmedOf } from "./carried.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";

type UnconfirmedNoteProps = { form: UseFormReturn<FormValues>; lastVisit: LastVisit | null; onConfirmed: () => void };

/** How many answers of the last visit will not be saved because nobody has confirmed them, and a button that confirms them all. */
export function UnconfirmedNote({ form, lastVisit, onConfirmed }: UnconfirmedNoteProps) {
  const { control } = form;
  const count = useWatch({ control, compute: (values) => unconfirmedOf(values, lastVisit) });
  const carried = useWatch({ control, name: "carried" });
  if (count === 0) return null;
  // A draft may be older than the last visit.
  const dates = new Set([...(carried?.fields.length ? [carried.date] : []), ...(lastVisit ? [lastVisit.assessmentDate] : [])]);
  const all = () => {
    confirmAll(form, lastVisit);
    onConfirmed();
  };
  return (
    <div className="unconfirmed row warn">
      <span>
        {count === 1 ? "1 answer" : `${count} answers`} from {[...dates].map(formatDate).join(" and ")} not confirmed, to be left out
      </span>
      <Button onClick={all} size={Size.SMALL} text="All still true" />
    </div>
  );
}
