import { FormGroup, HTMLSelect } from "@blueprintjs/core";
import { useId } from "react";

type Option<V> = { value: V; label: string };
type SelectProps<V> = {
  label: string;
  value: V;
  options: Option<V>[];
  onChange: (value: V) => void;
  /** In a bar: without a visible label, because the value says what it is. */
  isInline?: boolean | undefined;
  /** a sentence below it */
  help?: string | undefined;
};

/** A choice from a short list, outside a form. It takes effect at once. */
export function ChoiceField<V extends string | number>({
  label,
  value,
  options,
  onChange,
  isInline,
  help,
}: SelectProps<V>) {
  const id = useId();
  const choose = (text: string) => {
    const chosen = options.find((option) => String(option.value) === text);
    if (chosen) onChange(chosen.value);
  };
  const select = (
    <HTMLSelect
      aria-label={isInline ? label : undefined}
      fill={!isInline}
      id={id}
      minimal={isInline}
      onChange={(event) => choose(event.currentTarget.value)}
      options={options}
      title={isInline ? label : undefined}
      value={value}
    />
  );
  return isInline ? (
    select
  ) : (
    <FormGroup helperText={help} label={label} labelFor={id}>
      {select}
    </FormGroup>
  );
}
