import { FormGroup, InputGroup, Intent } from "@blueprintjs/core";
import { RefreshIcon } from "@blueprintjs/icons";
import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import { useForm } from "react-hook-form";
import type { UseFormRegisterReturn } from "react-hook-form";
import { BusyButton } from "./BusyButton.tsx";
import { dateRangeFormRules } from "./dateRange.ts";
import type { DateRange } from "./dateRange.ts";
import "./DateRangeForm.css";

function DateField({ label, field, error }: { label: string; field: UseFormRegisterReturn; error?: string }) {
  const id = useId();
  const { ref, ...events } = field;
  const intent = error ? Intent.DANGER : undefined;
  return (
    <FormGroup helperText={error ? <span id={`${id}-note`}>{error}</span> : undefined} intent={intent} label={label} labelFor={id}>
      <InputGroup
        {...events}
        aria-describedby={error ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        id={id}
        inputRef={ref}
        intent={intent}
        type="date"
      />
    </FormGroup>
  );
}

type DateRangeFormProps = {
  range: DateRange;
  /** A proper range was asked for: another one, or the same once more. */
  onRefresh: (range: DateRange) => void;
  isFetching?: boolean;
};

/** Start, End and Refresh. */
export function DateRangeForm({ range, onRefresh, isFetching = false }: DateRangeFormProps) {
  const { register, handleSubmit, formState } = useForm<DateRange>({ values: range, resolver: zodResolver(dateRangeFormRules) });
  const { errors } = formState;
  return (
    <form className="date-range" noValidate onSubmit={(event) => void handleSubmit(onRefresh)(event)}>
      <DateField label="Start" field={register("start")} error={errors.start?.message} />
      <DateField label="End" field={register("end")} error={errors.end?.message} />
      <BusyButton className="date-range-button" icon={<RefreshIcon />} isBusy={isFetching} text="Refresh" type="submit" />
    </form>
  );
}
