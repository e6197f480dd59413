import { Button, Callout } from "@blueprintjs/core";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { clear, groupsOf } from "./carried.ts";
import { goToSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";

/** Says what a new assessment begins with, and what becomes of it. */
export function LastVisitNotice({ form }: { form: UseFormReturn<FormValues> }) {
  const carried = useWatch({ control: form.control, name: "carried" });
  if (!carried?.fields.length) return null;
  const clearAll = () => {
    clear(form, () => true);
    goToSection("power");
  };
  return (
    <Callout className="row is-spread screen-only" icon={null} intent="primary">
      <p>
        Filled in from the visit of {formatDate(carried.date)}: {groupsOf(carried.fields).join(", ")}. Confirm or change what is marked. What
        is still marked when you save is left out of this visit.
      </p>
      <Button onClick={clearAll} text="Clear all of it" />
    </Callout>
  );
}
