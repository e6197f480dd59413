import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useFieldArray, useFormState } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { v7 } from "uuid";
import { actionLimits, mostVisitActions } from "../../gateway/assessment/visitActions.rules.ts";
import { DateField } from "../ui/field/DateField.tsx";
import { LengthCount } from "../ui/field/LengthCount.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { actionLabels } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";
import "./ActionsSection.css";

type ActionsSectionProps = { form: UseFormReturn<FormValues>; today: string };

/** What was agreed at the visit to mend what was found: rows of the form, which are stored with the visit. */
export function ActionsSection({ form, today }: ActionsSectionProps) {
  const { control, register, setFocus } = form;
  const { errors } = useFormState({ control, name: "actions" });
  const { fields, append, remove } = useFieldArray({ control, name: "actions", keyName: "key" });
  const add = () => append({ actionUuid: v7(), agreedDay: today, text: "", responsible: "", dueDay: "" });
  const leaveOut = (index: number) => {
    remove(index);
    // The pressed button disappears with its row.
    requestAnimationFrame(() =>
      fields.length > 1 ? setFocus(`actions.${Math.max(0, index - 1)}.text`) : document.getElementById(addId)?.focus(),
    );
  };
  return (
    <FormSection name="actions" of={["closing"]}>
      {fields.length === 0 ? (
        <p className="note">What is to be done after this visit, by whom and until when.</p>
      ) : null}
      <FormAlert message={errors.actions?.root?.message ?? errors.actions?.message} />
      {fields.map(({ key, agreedDay }, index) => {
        const wrong = errors.actions?.[index];
        const number = index + 1;
        return (
          <div aria-label={`Action ${number}`} className="agreed-action stack" key={key} role="group">
            <TextAreaField
              count={
                <LengthCount<FormValues> control={control} limit={actionLimits.text} name={`actions.${index}.text`} />
              }
              error={wrong?.text?.message ?? wrong?.actionUuid?.message}
              field={register(`actions.${index}.text`)}
              label={actionLabels.text}
              rows={2}
            />
            <div className="grid is-half">
              <TextField
                autoComplete="off"
                enterKeyHint="next"
                error={wrong?.responsible?.message}
                field={register(`actions.${index}.responsible`)}
                isName
                label={actionLabels.responsible}
                maxLength={actionLimits.responsible}
              />
              <DateField
                control={control}
                enterKeyHint="next"
                error={wrong?.dueDay?.message}
                label={actionLabels.dueDay}
                max={daysAfter(agreedDay, 730)}
                min={agreedDay}
                name={`actions.${index}.dueDay`}
              />
            </div>
            <div>
              <Button aria-label={`Remove action ${number}`} onClick={() => leaveOut(index)} text="Remove" />
            </div>
          </div>
        );
      })}
      {fields.length < mostVisitActions ? (
        <div>
          <Button icon={<AddIcon />} id={addId} onClick={add} text="Add an action" />
        </div>
      ) : null}
    </FormSection>
  );
}

const addId = "add-action";
