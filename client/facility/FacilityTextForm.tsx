import { Button, FormGroup, InputGroup, Size } from "@blueprintjs/core";
import { CrossIcon, SearchIcon } from "@blueprintjs/icons";
import { useId, useLayoutEffect, useRef } from "react";
import { searchLength, searchMaximum, searchMinimum } from "../../gateway/facility/searchText.rules.ts";
import { useUrlText } from "../ui/filter/urlText.ts";
import "./FacilityTextForm.css";

type FacilityTextFormProps = {
  label: string;
  /** The search parameter that holds the text. */
  name: string;
  /** Shown while nothing is typed. */
  help?: string;
  autoFocus?: boolean;
  /** The label is in the field, to save a line. */
  isLow?: boolean;
  /** Whether the answer for the text in the address is still awaited, if this form shows that. */
  isWaiting?: boolean;
  /** Called with the typed text. */
  onTyped?: (text: string) => void;
};

function hint(text: string): string | undefined {
  const length = searchLength(text);
  if (length > searchMaximum) return `At most ${searchMaximum} characters: this has ${length}.`;
  if (length > 0 && length < searchMinimum) return `At least ${searchMinimum} characters: this has ${length}.`;
  return undefined;
}

/** A search text for facilities. It takes effect during typing, and at once on Enter. */
export function FacilityTextForm({
  label,
  name,
  help,
  autoFocus,
  isLow = false,
  isWaiting,
  onTyped,
}: FacilityTextFormProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { typed, type, commit, isPending } = useUrlText(name);
  const wrong = hint(typed);
  const isSearching = isWaiting !== undefined && typed.trim() !== "" && (isPending || isWaiting);
  const note = wrong ?? (isSearching ? "Searching …" : typed.trim() ? undefined : help);
  useLayoutEffect(() => {
    onTyped?.(typed.trim());
  }, [onTyped, typed]);

  return (
    <form
      className="facility-text screen-only"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        commit(typed);
      }}
    >
      <FormGroup
        helperText={<span id={`${id}-note`}>{note}</span>}
        label={isLow ? <span className="visually-hidden">{label}</span> : label}
        labelFor={id}
      >
        <InputGroup
          aria-describedby={`${id}-note`}
          autoCapitalize="none"
          autoComplete="off"
          autoFocus={autoFocus}
          enterKeyHint="search"
          id={id}
          inputRef={input}
          placeholder={isLow ? label : undefined}
          leftElement={<SearchIcon />}
          onChange={(event) => type(event.currentTarget.value)}
          rightElement={
            typed ? (
              <Button
                aria-label="Clear the text"
                icon={<CrossIcon />}
                onClick={() => {
                  commit("");
                  input.current?.focus();
                }}
                size={Size.SMALL}
                variant="minimal"
              />
            ) : undefined
          }
          spellCheck={false}
          value={typed}
        />
      </FormGroup>
    </form>
  );
}
