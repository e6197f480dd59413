import { Button } from "@blueprintjs/core";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { isOffered, take } from "./carried.ts";
import type { OfferedName } from "./carried.ts";
import { labels, valueText } from "./fieldLabels.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";

type LastAnswerHintProps = { name: OfferedName; lastVisit: LastVisit | null; form: UseFormReturn<FormValues> };

/** A comment may have a thousand characters. */
const most = 120;
const shortened = (text: string) => (text.length > most ? `${text.slice(0, most).trimEnd()} …` : text);

/** Focuses a field; of a choice the chosen one. */
function focusOn(name: OfferedName): void {
  const inputs = [...document.getElementsByName(name)] as HTMLInputElement[];
  (inputs.find(({ type, checked }) => type === "radio" && checked) ?? inputs[0])?.focus();
}

/** The last visit's answer, offered as a button. The answer has to be checked at each visit and may be the same. */
export function LastAnswerHint({ name, lastVisit, form }: LastAnswerHintProps) {
  const isShown = useWatch({ control: form.control, compute: (values) => lastVisit !== null && isOffered(name, values, lastVisit.content) });
  if (!lastVisit || !isShown) return null;
  const { assessmentDate, content } = lastVisit;
  const takeOver = () => {
    take(form, name, content);
    // A field that was marked as wrong because it was empty is right now.
    if (form.getFieldState(name).invalid) void form.trigger(name);
    focusOn(name);
  };
  return (
    <Button alignText="start" className="last-answer" intent="primary" onClick={takeOver} size="small" title={labels[name]} variant="minimal">
      Same as on {formatDate(assessmentDate)}: {shortened(valueText(name, content[name])) || "not known"}
    </Button>
  );
}
