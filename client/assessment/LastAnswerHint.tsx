import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { valueText } from "./fieldLabels.ts";
import type { RequiredName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";

type LastAnswerHintProps = { name: RequiredName; lastVisit: LastVisit | null; form: UseFormReturn<FormValues> };

/** The last visit's answer, offered as a button. The answer has to be checked at each visit and may be the same. */
export function LastAnswerHint({ name, lastVisit, form: { control, setValue, setFocus } }: LastAnswerHintProps) {
  const isBlank = useWatch({ control, name, compute: (value) => value === "" });
  if (!lastVisit || !isBlank) return null;
  const { assessmentDate, content } = lastVisit;
  const take = () => {
    setValue(name, String(content[name]), { shouldDirty: true });
    setFocus(name);
  };
  return (
    <button className="last-answer" onClick={take} type="button">
      Same as on {formatDate(assessmentDate)}: {valueText(name, content[name])}
    </button>
  );
}
