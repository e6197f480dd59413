import { Card } from "@blueprintjs/core";
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
  onChange: (range: DateRange) => void;
  /** Called if the same range is sent again. */
  onReload: () => void;
  isFetching?: boolean;
};

/** A card with the fields Start and End, and the button Refresh. */
export function DateRangeForm({ range, onChange, onReload, isFetching = false }: DateRangeFormProps) {
  const { control, handleSubmit } = useForm<DateRange>({ values: range, resolver: zodResolver(dateRangeFormRules) });
  const refresh = (asked: DateRange) =>
    asked.start === range.start && asked.end === range.end ? onReload() : onChange(asked);
  return (
    <Card className="date-range-card screen-only">
      <form className="date-range" noValidate onSubmit={(event) => void handleSubmit(refresh)(event)}>
        <DateField control={control} label="Start" name="start" />
        <DateField control={control} label="End" name="end" />
        <BusyButton
          className="date-range-button"
          icon={<RefreshIcon />}
          isBusy={isFetching}
          text="Refresh"
          type="submit"
        />
      </form>
    </Card>
  );
}
