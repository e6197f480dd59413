import { RefreshIcon } from "@blueprintjs/icons";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { BusyButton } from "./BusyButton.tsx";
import { dateRangeFormRules } from "./dateRange.ts";
import type { DateRange } from "./dateRange.ts";
import { DateField } from "../field/DateField.tsx";
import "./DateRangeForm.css";

type DateRangeFormProps = {
  range: DateRange;
  /** Called with a valid range: a new one, or the same one again. */
  onRefresh: (range: DateRange) => void;
  isFetching?: boolean;
};

/** The fields Start and End, and the button Refresh. */
export function DateRangeForm({ range, onRefresh, isFetching = false }: DateRangeFormProps) {
  const { control, handleSubmit } = useForm<DateRange>({ values: range, resolver: zodResolver(dateRangeFormRules) });
  return (
    <form className="date-range" noValidate onSubmit={(event) => void handleSubmit(onRefresh)(event)}>
      <DateField control={control} label="Start" name="start" />
      <DateField control={control} label="End" name="end" />
      <BusyButton className="date-range-button" icon={<RefreshIcon />} isBusy={isFetching} text="Refresh" type="submit" />
    </form>
  );
}
