import { Button, Checkbox } from "@blueprintjs/core";
import { useState } from "react";
import { TextField } from "../ui/field/TextField.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import type { PlacePart } from "./placeParts.ts";

/** With more rows than this, they are found by a part of their name. */
const mostShown = 100;

type PlacePartsFieldProps = { label: string; one: string; many: string; parts: readonly PlacePart[]; chosen: ReadonlySet<string>; onChoose: (chosen: ReadonlySet<string>) => void };

/** A choice of several from many, found by a part of their name. Chosen ones stay chosen during further searches. */
export function PlacePartsField({ label, one, many, parts, chosen, onChoose }: PlacePartsFieldProps) {
  const [typed, setTyped] = useState("");
  const named = typed.trim().toLowerCase();
  const found = parts.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(named));
  const shown = found.slice(0, mostShown);
  const flip = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChoose(next);
  };
  return (
    <fieldset className="stack">
      <legend>{label}</legend>
      <TextField autoComplete="off" field={{ name: "part", value: typed, onChange: ({ currentTarget }) => setTyped(currentTarget.value) }} label="Part of the name" />
      <ul className="is-scrolling plain">
        {shown.map(({ key, name, about }) => (
          <li key={key}>
            <Checkbox checked={chosen.has(key)} onChange={() => flip(key)}>
              {name} {about ? <span className="note">{about}</span> : null}
            </Checkbox>
          </li>
        ))}
      </ul>
      {found.length > shown.length ? <p className="note">{`${formatNumber(found.length - shown.length)} more: type a part of the name to see them.`}</p> : null}
      <p className="note" role="status">
        {found.length === 0 ? `No ${one} has this in its name. ` : ""}
        {`${formatNumber(chosen.size)} of ${counted(parts.length, one, many)} chosen`}
      </p>
      <div className="row">
        <Button disabled={found.length === 0} onClick={() => onChoose(new Set([...chosen, ...found.map(({ key }) => key)]))} text={named ? "Choose all found" : "Choose all"} />
        <Button disabled={chosen.size === 0} onClick={() => onChoose(new Set())} text="Choose none" />
      </div>
    </fieldset>
  );
}
