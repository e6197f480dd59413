import { Button, Size } from "@blueprintjs/core";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { confirm } from "./carried.ts";
import type { FormValues } from "./formValues.ts";

/** Which answers of the last visit will not be saved because nobody has confirmed them, and a button that confirms them all. */
export function UnconfirmedNote({ form, onConfirmed }: { form: UseFormReturn<FormValues>; onConfirmed: () => void }) {
  const carried = useWatch({ control: form.control, name: "carried" });
  const count = carried?.fields.length ?? 0;
  if (!carried || count === 0) return null;
  const confirmAll = () => {
    confirm(form, () => true);
    onConfirmed();
  };
  return (
    <div className="unconfirmed">
      <span>
        {count === 1 ? "1 answer" : `${count} answers`} from {formatDate(carried.date)} not confirmed, to be left out
      </span>
      <Button onClick={confirmAll} size={Size.SMALL} text="All still true" />
    </div>
  );
}
