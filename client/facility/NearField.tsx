import { FormGroup, HTMLSelect } from "@blueprintjs/core";
import { useId, useState } from "react";
import { parameterOf } from "../../gateway/facility/listFilter.rules.ts";
import { wordsOf } from "../../gateway/input/listParameters.rules.ts";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { PositionField } from "./PositionField.tsx";

const distances = [5, 10, 20, 50, 100, 200];

const partsOf = (near: string) => /^([^,]*,[^,]*),(.*)$/.exec(near) ?? [];

/** Sites within some kilometres of a place. It takes effect when the position is left, or the distance chosen. */
export function NearField({ value, name }: { value: string; name: string | undefined }) {
  const id = useId();
  const change = useListAddress();
  const [chosen, setChosen] = useState("20");
  const [, position = "", distance = chosen] = partsOf(value);
  const offered = distances.map((km) => ({ value: String(km), label: `${km} km` }));
  const isOffered = offered.some((one) => one.value === distance);
  return (
    <>
      <PositionField
        label="Near a place"
        name={name}
        onPosition={(where, nearName) => {
          setChosen(distance);
          change({ near: where && `${where},${distance}`, nearName });
        }}
        value={position}
      />
      <FormGroup helperText="Sites without a position are not counted." label="Within" labelFor={id}>
        <HTMLSelect
          fill
          id={id}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value);
            // The position may have been given a moment ago, and not be shown yet.
            change((now) => {
              const [, where = ""] = partsOf(now.get("near") ?? "");
              return { near: where && `${where},${currentTarget.value}` };
            });
          }}
          options={
            isOffered
              ? offered
              : [{ value: distance, label: wordsOf(parameterOf("near"), `${position},${distance}`) }, ...offered]
          }
          value={distance}
        />
      </FormGroup>
    </>
  );
}
