import { PopoverNext } from "@blueprintjs/core";
import { DatePicker } from "@blueprintjs/datetime";
import { useRef } from "react";
import "@blueprintjs/datetime/lib/css/blueprint-datetime.css";
import "./CalendarPopover.css";

const dateOf = (day: string) => {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, date);
};
const two = (part: number) => String(part).padStart(2, "0");
const dayOf = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const usualMax = `${new Date().getFullYear() + 5}-12-31`;

type CalendarPopoverProps = {
  /** The chosen day and the ends of the calendar, YYYY-MM-DD. */
  day: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChoose: (day: string, isByKey: boolean) => void;
  onClose: () => void;
};

/** Blueprint's calendar below a field (DayInput.tsx), to choose a day by pointer or arrow keys. */
export function CalendarPopover({ day, min = "2000-01-01", max = usualMax, onChoose, onClose }: CalendarPopoverProps) {
  const isByKey = useRef(false);
  const isWithin = day !== undefined && day >= min && day <= max;
  const choose = (date: Date | null, isByPerson: boolean) => {
    // Blueprint reports another month too.
    if (!isByPerson || !date) return;
    onChoose(dayOf(date), isByKey.current);
  };
  return (
    <PopoverNext
      content={
        <div
          aria-label="Calendar"
          aria-modal
          onKeyDownCapture={() => (isByKey.current = true)}
          onPointerDownCapture={() => (isByKey.current = false)}
          role="dialog"
        >
          <DatePicker
            canClearSelection={false}
            defaultValue={isWithin ? dateOf(day) : undefined}
            // English is in it: without this it would fetch a file of that language.
            dateFnsLocaleLoader={() => Promise.resolve(undefined)}
            dayPickerProps={{ weekStartsOn: 1 }}
            maxDate={dateOf(max)}
            minDate={dateOf(min)}
            onChange={choose}
          />
        </div>
      }
      hasBackdrop
      isOpen
      onInteraction={(isOpen) => {
        if (!isOpen) onClose();
      }}
      placement="bottom-end"
      renderTarget={({ ref }) => <span ref={ref} />}
    />
  );
}
