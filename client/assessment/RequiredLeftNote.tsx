import { Button } from "@blueprintjs/core";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { labels } from "./fieldLabels.ts";
import { missingOf } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";

/** How many required answers are missing, with a link to each. */
export function RequiredLeftNote({ form: { control, setFocus } }: { form: UseFormReturn<FormValues> }) {
  const missing = useWatch({ control, compute: missingOf });
  return (
    <div className={missing.length ? "required-left row" : "visually-hidden"}>
      <span role="status">{missing.length ? `${missing.length} required ${missing.length === 1 ? "answer" : "answers"} left` : null}</span>
      {missing.map((name) => (
        <Button intent="primary" key={name} onClick={() => setFocus(name)} size="small" text={labels[name]} variant="minimal" />
      ))}
    </div>
  );
}
