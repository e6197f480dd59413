import { FormGroup, HTMLSelect, InputGroup } from "@blueprintjs/core";
import { SearchIcon } from "@blueprintjs/icons";
import { type ReactNode, useId } from "react";
import { useAddress } from "./listAddress.ts";
import { useUrlText } from "./urlText.ts";
import "../field/Field.css";

type FilterFormProps = {
  /** The class that lays out its fields. */
  className: string;
  /** The label of the search text, which is `search` in the address. */
  label: string;
  /** More filters. */
  children: ReactNode;
};

/**
 * The filters of a list, which are in its address: a search text and choices. The text takes effect during typing, and
 * at once on Enter.
 */
export function FilterForm({ className, label, children }: FilterFormProps) {
  const id = useId();
  const { typed, type, commit } = useUrlText("search");
  return (
    <form
      className={`filter-form screen-only ${className}`}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        commit(typed);
      }}
    >
      <FormGroup label={label} labelFor={id}>
        <InputGroup
          autoCapitalize="none"
          autoComplete="off"
          id={id}
          leftElement={<SearchIcon />}
          maxLength={128}
          onChange={(event) => type(event.currentTarget.value)}
          spellCheck={false}
          value={typed}
        />
      </FormGroup>
      {children}
    </form>
  );
}

type FilterChoiceProps = {
  label: string;
  /** The search parameter that holds the choice. */
  name: string;
  value: string | number;
  /** The words of the empty choice. */
  all: string;
  options?: readonly (readonly [value: string | number, words: string])[];
  /** Options in groups. */
  children?: ReactNode;
};

/** One choice of a `FilterForm`. An empty value removes it from the address. */
export function FilterChoice({ label, name, value, all, options = [], children }: FilterChoiceProps) {
  const id = useId();
  const change = useAddress();
  return (
    <FormGroup label={label} labelFor={id}>
      <HTMLSelect
        fill
        id={id}
        onChange={(event) => change({ page: "", [name]: event.currentTarget.value })}
        value={value}
      >
        <option value="">{all}</option>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
        {children}
      </HTMLSelect>
    </FormGroup>
  );
}
