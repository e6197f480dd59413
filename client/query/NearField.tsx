import { FormGroup, HTMLSelect, InputGroup } from "@blueprintjs/core";
import { useId, useState } from "react";
import { parameterOf } from "../../gateway/facility/listFilter.rules.ts";
import { isTextOf } from "../../gateway/input/listParameters.rules.ts";
import { useListAddress } from "../ui/filter/listAddress.ts";

const distances = [5, 10, 20, 50, 100, 200];

/** Sites within some kilometres of a position. It takes effect when the position is left, or the distance chosen. */
export function NearField({ value }: { value: string }) {
  const [positionPlace, distancePlace] = [useId(), useId()];
  const change = useListAddress();
  const [, latitude, longitude, kilometres = "20"] = /^(.*),(.*),(.*)$/.exec(value) ?? [];
  const position = latitude === undefined ? "" : `${latitude}, ${longitude}`;
  const [seen, setSeen] = useState(value);
  const [typed, setTyped] = useState(position);
  const [distance, setDistance] = useState(kilometres);
  if (seen !== value) {
    setSeen(value);
    setTyped(position);
    setDistance(kilometres);
  }
  const textOf = (km: string) => `${typed.replaceAll(" ", "")},${km}`;
  const isWrong = typed !== "" && !isTextOf(parameterOf("near"), textOf(distance));
  const commit = (km: string) => {
    if (typed === "" || isTextOf(parameterOf("near"), textOf(km))) change({ near: typed === "" ? "" : textOf(km) });
  };
  const shown = distances.map(String).includes(distance) ? distances : [Number(distance), ...distances];
  return (
    <>
      <FormGroup
        helperText={isWrong ? "Write both in degrees, such as -15.4167, 28.2833." : undefined}
        label="Near: latitude, longitude"
        labelFor={positionPlace}
      >
        <InputGroup
          autoComplete="off"
          id={positionPlace}
          onBlur={() => commit(distance)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit(distance);
          }}
          placeholder="-15.4167, 28.2833"
          value={typed}
        />
      </FormGroup>
      <FormGroup label="Within" labelFor={distancePlace}>
        <HTMLSelect
          fill
          id={distancePlace}
          onChange={({ currentTarget }) => {
            setDistance(currentTarget.value);
            commit(currentTarget.value);
          }}
          options={shown.map((km) => ({ value: String(km), label: `${km} km` }))}
          value={distance}
        />
      </FormGroup>
    </>
  );
}
