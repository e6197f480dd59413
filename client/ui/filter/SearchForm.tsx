import { FormGroup, InputGroup } from "@blueprintjs/core";
import { SearchIcon } from "@blueprintjs/icons";
import { useId } from "react";
import { useUrlText } from "./urlText.ts";

type SearchFormProps = {
  /** The label, which stands in the field to save a line. */
  label: string;
  /** The search parameter that holds the text. */
  name?: string;
};

/** A search text of a list, in its address. It takes effect during typing, and at once on Enter. */
export function SearchForm({ label, name = "search" }: SearchFormProps) {
  const id = useId();
  const { typed, type, commit } = useUrlText(name);
  return (
    <form
      className="screen-only"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        commit(typed);
      }}
    >
      <FormGroup label={<span className="visually-hidden">{label}</span>} labelFor={id}>
        <InputGroup
          autoCapitalize="none"
          autoComplete="off"
          enterKeyHint="search"
          id={id}
          leftElement={<SearchIcon />}
          maxLength={128}
          onChange={(event) => type(event.currentTarget.value)}
          placeholder={label}
          spellCheck={false}
          value={typed}
        />
      </FormGroup>
    </form>
  );
}
