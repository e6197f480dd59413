import { FormGroup, InputGroup } from "@blueprintjs/core";
import { useId, useState } from "react";
import { isPosition } from "./question.ts";

type PositionFieldProps = {
  label: string;
  /** latitude and longitude with a comma between; empty without a position */
  value: string;
  onPosition: (position: string) => void;
};

/** A position in degrees. It takes effect when the field is left, if it is one or empty. */
export function PositionField({ label, value, onPosition }: PositionFieldProps) {
  const id = useId();
  const shown = value.replace(",", ", ");
  const [seen, setSeen] = useState(value);
  const [typed, setTyped] = useState(shown);
  if (seen !== value) {
    setSeen(value);
    setTyped(shown);
  }
  const position = typed.replaceAll(" ", "");
  const isWrong = position !== "" && !isPosition(position);
  const commit = () => {
    if (!isWrong && position !== value) onPosition(position);
  };
  return (
    <FormGroup
      helperText={isWrong ? "Write both in degrees, such as -15.4167, 28.2833." : undefined}
      label={label}
      labelFor={id}
    >
      <InputGroup
        autoComplete="off"
        id={id}
        onBlur={commit}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
        placeholder="-15.4167, 28.2833"
        value={typed}
      />
    </FormGroup>
  );
}
