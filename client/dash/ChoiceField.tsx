import { FormGroup, HTMLSelect } from "@blueprintjs/core";
import { useId } from "react";

type Option<V> = { value: V; label: string };
type SelectProps<V> = { label: string; value: V; options: Option<V>[]; onChange: (value: V) => void };

/** A choice from a short list, outside a form. It takes effect at once. */
export function ChoiceField<V extends string | number>({ label, value, options, onChange }: SelectProps<V>) {
  const id = useId();
  const choose = (text: string) => {
    const chosen = options.find((option) => String(option.value) === text);
    if (chosen) onChange(chosen.value);
  };
  return (
    <FormGroup label={label} labelFor={id}>
      <HTMLSelect
        fill
        id={id}
        onChange={(event) => choose(event.currentTarget.value)}
        options={options}
        value={value}
      />
    </FormGroup>
  );
}
