import { RefreshIcon } from "@blueprintjs/icons";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { BusyButton } from "./BusyButton.tsx";
import { dateRangeFormRules } from "./dateRange.ts";
import type { DateRange } from "./dateRange.ts";
import { TextField } from "../field/TextField.tsx";
import "./DateRangeForm.css";

type DateRangeFormProps = {
  range: DateRange;
  /** Called with a valid range: a new one, or the same one again. */
  onRefresh: (range: DateRange) => void;
  isFetching?: boolean;
};

/** The fields Start and End, and the button Refresh. */
export function DateRangeForm({ range, onRefresh, isFetching = false }: DateRangeFormProps) {
  const { register, handleSubmit, formState } = useForm<DateRange>({ values: range, resolver: zodResolver(dateRangeFormRules) });
  const { errors } = formState;
  return (
    <form className="date-range" noValidate onSubmit={(event) => void handleSubmit(onRefresh)(event)}>
      <TextField label="Start" field={register("start")} type="date" error={errors.start?.message} />
      <TextField label="End" field={register("end")} type="date" error={errors.end?.message} />
      <BusyButton className="date-range-button" icon={<RefreshIcon />} isBusy={isFetching} text="Refresh" type="submit" />
    </form>
  );
}
