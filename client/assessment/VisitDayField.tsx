import { Card } from "@blueprintjs/core";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { DateField } from "../ui/field/DateField.tsx";
import type { FormValues } from "./formValues.ts";

type VisitDayFieldProps = {
  form: UseFormReturn<FormValues>;
  today: string;
  /** The device's clock is wrong, so it knows neither the day of the visit nor today. */
  isClockWrong: boolean;
};

/** A field for the day of a visit, if the device's clock is wrong, or if the server refused the day. */
export function VisitDayField({ form, today, isClockWrong }: VisitDayFieldProps) {
  const { control, getValues } = form;
  return (
    <Card aria-label="Day of the visit" className="stack" role="region">
      <div className="grid">
        <DateField
          control={control}
          enterKeyHint="next"
          help={
            isClockWrong
              ? "The clock of this device is wrong, so its day is not used. Enter today's day: the day on which you are there."
              : `It was saved as a visit of ${formatDate(getValues("visitDay"))}. Change the day only if that is not the day on which you were there.`
          }
          label="Day of the visit"
          max={isClockWrong ? undefined : today}
          isRequired={isClockWrong}
          name="visitDay"
        />
      </div>
    </Card>
  );
}
