import { FormGroup, InputGroup } from "@blueprintjs/core";
import { useEffect, useId, useRef, useState } from "react";
import { isPosition } from "../../gateway/facility/listFilter.rules.ts";
import { isSearchText } from "../../gateway/facility/searchText.rules.ts";
import { graphql } from "../gql/gql.ts";
import { Suggestions } from "../ui/field/TextField.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query PositionFieldQuery($text: String!) {
    provinceBoundaries { outlines { hxId name box } }
    districts(search: $text, first: 5) { nodes { id name province { id name } outline { hxId box } } }
    facilities(search: $text, first: 10, filter: { hasPosition: true }) {
      nodes { id facilityName latitude longitude district { id name } }
    }
  }
`);

type Place = { position: string; name: string };
/** Boxes are in steps of a part of a degree (gateway/reference/boundary.rules.ts). */
const stepsPerDegree = 500;
const middleOf = ([west, south, east, north]: readonly number[]) =>
  [south! + north!, west! + east!].map((sum) => (sum / 2 / stepsPerDegree).toFixed(3)).join(",");

/** The provinces, districts and sites with a position that a text finds, by what is offered for them. */
function usePlaces(text: string): ReadonlyMap<string, Place> {
  const isName = isSearchText(text) && /\p{L}/u.test(text);
  const { data } = useScreenQuery(query, { text }, !isName);
  if (!isName || !data) return new Map();
  const areas = [
    ...(data.provinceBoundaries?.outlines ?? [])
      .map(({ name, box }) => ({ name: `${name} Province`, label: `${name} Province`, box }))
      .filter(({ name }) => name.toLowerCase().startsWith(text.toLowerCase())),
    ...(data.districts?.nodes ?? []).flatMap(({ name, province, outline }) =>
      outline ? [{ name: `${name} District`, label: `${name} District, ${province.name}`, box: outline.box }] : [],
    ),
  ];
  return new Map([
    ...areas.map(({ name, label, box }): [string, Place] => [label, { name, position: middleOf(box) }]),
    ...data.facilities.nodes.map(({ facilityName: name, latitude, longitude, district }): [string, Place] => [
      `${name}, ${district.name}`,
      { name, position: `${latitude},${longitude}` },
    ]),
  ]);
}

/** The places with exactly this name; of a district or province also without that word. */
function placesNamed(text: string, places: readonly Place[]): Place[] {
  const names = new Set([text, `${text} District`, `${text} Province`].map((one) => one.toLowerCase()));
  return places.filter(({ name }) => names.has(name.toLowerCase()));
}

type PositionFieldProps = {
  label: string;
  /** latitude and longitude with a comma between; empty without a position */
  value: string;
  /** the name of the place there, or a text that names none */
  name: string | undefined;
  onPosition: (position: string, name: string | undefined) => void;
};

const helpOf = (value: string, name: string | undefined) =>
  name && value
    ? `${/ (District|Province)$/.test(name) ? `The middle of ${name}` : name}: ${value.replace(",", ", ")}`
    : undefined;

/**
 * A position: that of a site, or the middle of a province or district, chosen by its name, or in degrees. It takes
 * effect when a place is chosen, or the field is left; a text that is no place is no position.
 */
export function PositionField({ label, value, name, onPosition }: PositionFieldProps) {
  const id = useId();
  const shown = name ?? value.replace(",", ", ");
  const [seen, setSeen] = useState(shown);
  const [typed, setTyped] = useState(shown);
  if (seen !== shown) {
    setSeen(shown);
    setTyped(shown);
  }
  const places = usePlaces(typed.trim());
  const position = typed.replaceAll(" ", "");
  const isKept = typed === shown && value !== "";
  const isWrong = position !== "" && !isKept && !isPosition(position);
  // The name was left before its places had arrived: once they are there, it is that place.
  const resolved = useRef<string>(undefined);
  useEffect(() => {
    if (value !== "") resolved.current = undefined;
    if (value !== "" || name === undefined || typed !== name || resolved.current === name) return;
    const [only, ...more] = placesNamed(name, [...places.values()]);
    if (!only || more.length > 0) return;
    resolved.current = name;
    onPosition(only.position, only.name);
  });
  const choose = (place: Place) => {
    setTyped(place.name);
    onPosition(place.position, place.name);
  };
  const commit = () => {
    if (isKept) return;
    const [only, ...more] = placesNamed(typed.trim(), [...places.values()]);
    if (only && more.length === 0) choose(only);
    else if (typed !== shown) onPosition(isWrong ? "" : position, isWrong ? typed.trim() : undefined);
  };
  return (
    <FormGroup
      helperText={isWrong ? "Choose a place from the list, or type latitude, longitude." : helpOf(value, name)}
      label={label}
      labelFor={id}
    >
      <InputGroup
        aria-invalid={isWrong || undefined}
        autoComplete="off"
        id={id}
        list={`${id}-places`}
        onBlur={commit}
        onChange={({ currentTarget }) => {
          const place = places.get(currentTarget.value);
          if (place) choose(place);
          else setTyped(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
        placeholder="Place, or -15.4167, 28.2833"
        value={typed}
      />
      <Suggestions id={`${id}-places`} values={[...places.keys()]} />
    </FormGroup>
  );
}
