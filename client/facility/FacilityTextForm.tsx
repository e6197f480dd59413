import { Button, FormGroup, InputGroup, Size } from "@blueprintjs/core";
import { CrossIcon, SearchIcon } from "@blueprintjs/icons";
import { useId, useRef } from "react";
import { searchMaximum, searchMinimum } from "../../gateway/facility/searchText.rules.ts";
import { useUrlText } from "../ui/list/urlText.ts";
import "./FacilityTextForm.css";

type FacilityTextFormProps = {
  label: string;
  /** The search parameter that holds the text. */
  name: string;
  /** Said while nothing is typed. */
  help?: string;
  autoFocus?: boolean;
};

function hint(text: string): string | undefined {
  const { length } = text.trim();
  if (length > searchMaximum) return `At most ${searchMaximum} characters: this has ${length}.`;
  if (length > 0 && length < searchMinimum) return `At least ${searchMinimum} characters: this has ${length}.`;
  return undefined;
}

/** A search text for facilities. It takes effect while one types, and at once on Enter. */
export function FacilityTextForm({ label, name, help, autoFocus }: FacilityTextFormProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { typed, type, commit } = useUrlText(name);
  const wrong = hint(typed);
  const note = wrong ?? (typed.trim() ? undefined : help);

  return (
    <form
      className="facility-text"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        commit(typed);
      }}
    >
      <FormGroup helperText={<span id={`${id}-note`}>{note}</span>} label={label} labelFor={id}>
        <InputGroup
          aria-describedby={`${id}-note`}
          autoCapitalize="none"
          autoComplete="off"
          autoFocus={autoFocus}
          enterKeyHint="search"
          id={id}
          inputRef={input}
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
