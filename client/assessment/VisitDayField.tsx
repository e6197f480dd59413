import { useFormState } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { formatDate } from "../ui/text/dates.ts";
import { TextField } from "../ui/field/TextField.tsx";
import type { FormValues } from "./formValues.ts";

type VisitDayFieldProps = { form: UseFormReturn<FormValues>; today: string };

/** A field to correct the day of a visit when the server refused it, because the device's clock was wrong or the visit was sent too late. */
export function VisitDayField({ form, today }: VisitDayFieldProps) {
  const { control, register, getValues } = form;
  const { errors } = useFormState({ control });
  return (
    <section aria-label="Day of the visit" className="card form-section">
      <div className="form-grid">
        <TextField
          enterKeyHint="next"
          error={errors.visitDay?.message}
          field={register("visitDay")}
          help={`It was saved as a visit of ${formatDate(getValues("visitDay"))}. Change the day only if that is not the day on which you were there.`}
          label="Day of the visit"
          max={today}
          type="date"
        />
      </div>
    </section>
  );
}
