import { Button, Classes, InputGroup, type InputGroupProps } from "@blueprintjs/core";
import { CalendarIcon } from "@blueprintjs/icons";
import { useRef, useState } from "react";
import { fetchedPart, useFetchedPart } from "../network/fetchedPart.ts";
import { formatDate, readDay } from "../text/dates.ts";

const calendar = fetchedPart(() => import("./CalendarPopover.tsx"));

type DayInputProps = Pick<
  InputGroupProps,
  "id" | "name" | "disabled" | "enterKeyHint" | "inputRef" | "intent" | "onBlur" | "required"
> & {
  /** What the day is, for the button that opens the calendar. */
  label: string;
  /** The day, YYYY-MM-DD, or what was typed instead of one. */
  value: string;
  onChange: (value: string) => void;
  /** Called when the field is left, on Enter, and with a chosen day. */
  onCommit?: (value: string) => void;
  /** The first and the last day of the calendar. */
  min?: string | undefined;
  max?: string | undefined;
};

/**
 * Blueprint's DateInput brings 55 kB into every form, leaves the former day in it when a wrong one is typed, and takes
 * Tab into its calendar. So this is its InputGroup, and its DatePicker in a Popover, fetched when it is first opened. A
 * day is shown as 22 Nov 2026 and typed so or as 2026-11-22; the value is YYYY-MM-DD.
 */
export function DayInput({ label, value, onChange, onCommit, onBlur, min, max, ...input }: DayInputProps) {
  /** the text while it is being typed */
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const focusOpener = () => opener.current?.focus();
  const { file, failure, reset } = useFetchedPart(calendar, isOpen);
  const day = readDay(value);
  const change = (text: string) => {
    setTyped(text);
    onChange(readDay(text) ?? text.trim());
  };
  const open = () => {
    reset();
    setOpen(true);
  };
  return (
    <>
      <InputGroup
        {...input}
        autoComplete="off"
        onBlur={(event) => {
          setTyped(undefined);
          onBlur?.(event);
          onCommit?.(value);
        }}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter") onCommit?.(value);
        }}
        placeholder="DD MMM YYYY"
        rightElement={
          <>
            {/* Its name must not contain that of the field, by which people and programs find the field. */}
            <Button
              aria-expanded={isOpen && file !== undefined}
              aria-haspopup="dialog"
              aria-label="Show the month"
              disabled={input.disabled}
              icon={<CalendarIcon />}
              loading={isOpen && !file && !failure}
              onClick={open}
              ref={opener}
              title={label}
              variant="minimal"
            />
            {isOpen && file ? (
              <file.CalendarPopover
                day={day}
                max={max}
                min={min}
                onChoose={(chosen, isByKey) => {
                  setOpen(false);
                  onChange(chosen);
                  onCommit?.(chosen);
                  // A pressed key would press the button too.
                  if (isByKey) addEventListener("keyup", focusOpener, { once: true });
                  else focusOpener();
                }}
                onClose={() => {
                  setOpen(false);
                  focusOpener();
                }}
              />
            ) : null}
          </>
        }
        spellCheck={false}
        value={typed ?? (day ? formatDate(day) : value)}
      />
      {failure ? (
        <div className={Classes.FORM_HELPER_TEXT} role="alert">
          The calendar cannot be had now. Type the day, such as 22 Nov 2026.
        </div>
      ) : null}
    </>
  );
}
