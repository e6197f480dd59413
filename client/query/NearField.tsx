import { FormGroup, HTMLSelect } from "@blueprintjs/core";
import { useId, useState } from "react";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { PositionField } from "./PositionField.tsx";

const distances = [5, 10, 20, 50, 100, 200];

/** Sites within some kilometres of a position. It takes effect when the position is left, or the distance chosen. */
export function NearField({ value }: { value: string }) {
  const id = useId();
  const change = useListAddress();
  const [chosen, setChosen] = useState("20");
  const [, position = "", distance = chosen] = /^(.*,.*),(.*)$/.exec(value) ?? [];
  const give = (where: string, km: string) => change({ near: where === "" ? "" : `${where},${km}` });
  const shown = distances.map(String).includes(distance) ? distances : [Number(distance), ...distances];
  return (
    <>
      <PositionField label="Near: latitude, longitude" onPosition={(where) => give(where, distance)} value={position} />
      <FormGroup label="Within" labelFor={id}>
        <HTMLSelect
          fill
          id={id}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value);
            give(position, currentTarget.value);
          }}
          options={shown.map((km) => ({ value: String(km), label: `${km} km` }))}
          value={distance}
        />
      </FormGroup>
    </>
  );
}
