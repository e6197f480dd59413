import { FormGroup, HTMLSelect } from "@blueprintjs/core";
import { type ReactNode, useId } from "react";
import { allPartners } from "./scope.ts";

export type Option<V> = { value: V; label: string };
type SelectProps<V> = { label: string; value: V; options: Option<V>[]; onChange: (value: V) => void; note?: ReactNode };

/** A choice from a short list, outside a form. It takes effect at once. */
export function ChoiceField<V extends string | number>({ label, value, options, onChange, note }: SelectProps<V>) {
  const id = useId();
  const choose = (text: string) => {
    const chosen = options.find((option) => String(option.value) === text);
    if (chosen) onChange(chosen.value);
  };
  return (
    <FormGroup label={label} labelFor={id} helperText={note}>
      <HTMLSelect fill id={id} onChange={(event) => choose(event.currentTarget.value)} options={options} value={value} />
    </FormGroup>
  );
}

type Partner = { implementingPartnerId: number; implementingPartner: string };

/** "All partners", the partners on offer, and the chosen partner even if it is no longer on offer. */
export function partnerOptions(partners: readonly Partner[], chosen: number): Option<number>[] {
  const listed = partners.map(({ implementingPartnerId, implementingPartner }) => ({ value: implementingPartnerId, label: implementingPartner }));
  const isListed = chosen === allPartners || listed.some(({ value }) => value === chosen);
  return [{ value: allPartners, label: "All IPs" }, ...listed, ...(isListed ? [] : [{ value: chosen, label: `IP ${chosen}` }])];
}
