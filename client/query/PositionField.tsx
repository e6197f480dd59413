import { FormGroup, InputGroup } from "@blueprintjs/core";
import { useId, useState } from "react";
import { isSearchText } from "../../gateway/facility/searchText.rules.ts";
import { graphql } from "../gql/gql.ts";
import { Suggestions } from "../ui/field/TextField.tsx";
import { useScreenQuery } from "../urql.ts";
import { isPosition } from "./siteFilters.ts";

const query = graphql(`
  query PositionFieldQuery($text: String!) {
    facilities(search: $text, first: 10, filter: { hasPosition: true }) {
      nodes { id facilityName latitude longitude district { id name } }
    }
  }
`);

/** The sites with a position that a text finds, by what is offered for them. */
function useSites(text: string): ReadonlyMap<string, string> {
  const isName = isSearchText(text) && /\p{L}/u.test(text);
  const { data } = useScreenQuery(query, { text }, !isName);
  const sites = isName ? (data?.facilities.nodes ?? []) : [];
  return new Map(
    sites.map(({ facilityName, latitude, longitude, district }) => [
      `${facilityName}, ${district.name}`,
      `${latitude},${longitude}`,
    ]),
  );
}

type PositionFieldProps = {
  label: string;
  /** latitude and longitude with a comma between; empty without a position */
  value: string;
  onPosition: (position: string) => void;
};

/**
 * A position: that of a site, chosen by its name, or in degrees. It takes effect when a site is chosen, or the field is
 * left, if it is a position or empty.
 */
export function PositionField({ label, value, onPosition }: PositionFieldProps) {
  const id = useId();
  const shown = value.replace(",", ", ");
  const [seen, setSeen] = useState(value);
  const [typed, setTyped] = useState(shown);
  if (seen !== value) {
    setSeen(value);
    setTyped(shown);
  }
  const sites = useSites(typed.trim());
  const position = typed.replaceAll(" ", "");
  const isWrong = position !== "" && !isPosition(position);
  const commit = () => {
    if (!isWrong && position !== value) onPosition(position);
  };
  const type = (text: string) => {
    setTyped(text);
    const chosen = sites.get(text);
    if (chosen !== undefined) onPosition(chosen);
  };
  return (
    <FormGroup
      helperText={isWrong ? "Choose a site by its name, or write both degrees, such as -15.4167, 28.2833." : undefined}
      label={label}
      labelFor={id}
    >
      <InputGroup
        aria-invalid={isWrong || undefined}
        autoComplete="off"
        id={id}
        list={`${id}-sites`}
        onBlur={commit}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
        placeholder="Site, or -15.4167, 28.2833"
        value={typed}
      />
      <Suggestions id={`${id}-sites`} values={[...sites.keys()]} />
    </FormGroup>
  );
}
