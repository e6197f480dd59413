import { FormGroup, HTMLSelect } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";
import { spanOptions } from "./overviewParams.ts";
import type { ChartSettings } from "./overviewParams.ts";
import { newerFiscalYear, quarterOptions, yearOptions } from "./periods.ts";
import { allPartners } from "./scope.ts";

type Option<V> = { value: V; label: string };
type SelectProps<V> = { label: string; value: V; options: Option<V>[]; onChange: (value: V) => void; note?: ReactNode };

/** A choice from a short list, outside any form: it takes effect at once. */
export function Select<V extends string | number>({ label, value, options, onChange, note }: SelectProps<V>) {
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

const viewOptions: Option<ChartSettings["view"]>[] = [
  { value: "monthly", label: "Monthly" },
  { value: "quarterly", label: "Quarterly" },
];

const figureOptions = {
  part: [
    { value: "numbers", label: "Numbers" },
    { value: "shares", label: "Shares" },
  ],
  mean: [
    { value: "numbers", label: "Numbers" },
    { value: "shares", label: "Per facility" },
  ],
};

type Partner = { implementingPartnerId: number; implementingPartner: string };

/** All partners, those on offer, and the chosen one though it is not. */
export function partnerOptions(partners: readonly Partner[], chosen: number): Option<number>[] {
  const listed = partners.map(({ implementingPartnerId, implementingPartner }) => ({ value: implementingPartnerId, label: implementingPartner }));
  const isListed = chosen === allPartners || listed.some(({ value }) => value === chosen);
  return [{ value: allPartners, label: "All IPs" }, ...listed, ...(isListed ? [] : [{ value: chosen, label: `IP ${chosen}` }])];
}

type ChartControlsProps = {
  settings: ChartSettings;
  onChange: (some: Partial<ChartSettings>) => void;
  today: string;
  /** What a share of the figures is, where they can be split by period. */
  share: "part" | "mean" | undefined;
  /** Undefined where the figures cannot be narrowed to a partner. */
  partners: readonly Partner[] | undefined;
};

/** The controls that all charts share. */
export function ChartControls({ settings, onChange, today, share, partners }: ChartControlsProps) {
  const newer = newerFiscalYear(today);
  return (
    <div className="chart-controls">
      <div className="chart-controls-fields">
        {share ? <Select label="View" value={settings.view} options={viewOptions} onChange={(view) => onChange({ view })} /> : null}
        {partners ? (
          <Select
            label="Implementing partner"
            value={settings.partner}
            options={partnerOptions(partners, settings.partner)}
            onChange={(partner) => onChange({ partner })}
          />
        ) : null}
        <Select
          label="Year"
          value={settings.year}
          options={yearOptions(today).map((year) => ({ value: year, label: String(year) }))}
          onChange={(year) => onChange({ year })}
        />
        <Select label="Quarter" value={settings.quarter} options={quarterOptions} onChange={(quarter) => onChange({ quarter })} />
        {share ? <Select label="Span" value={settings.years} options={spanOptions} onChange={(years) => onChange({ years })} /> : null}
        {share ? (
          <Select
            label="Figures"
            value={settings.isShares ? "shares" : "numbers"}
            options={figureOptions[share]}
            onChange={(figures) => onChange({ isShares: figures === "shares" })}
          />
        ) : null}
      </div>
      {newer !== undefined && newer !== settings.year ? (
        <button className="chart-controls-newer" type="button" onClick={() => onChange({ year: newer })}>
          FY {newer} is already running: show it
        </button>
      ) : null}
    </div>
  );
}
