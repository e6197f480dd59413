import { type ChartSettings, spanOptions } from "./overviewParams.ts";
import { ChoiceField, type Option } from "./ChoiceField.tsx";

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

type ChartControlsProps = {
  settings: ChartSettings;
  onChange: (some: Partial<ChartSettings>) => void;
  /** What 100 % is, when the figures are shown as shares. */
  share: "part" | "mean";
};

/** The controls of a chart by period: months or quarters, number of years, numbers or shares. */
export function ChartControls({ settings, onChange, share }: ChartControlsProps) {
  return (
    <div className="chart-controls stack is-close screen-only">
      <div className="grid scope-fields">
        <ChoiceField label="View" value={settings.view} options={viewOptions} onChange={(view) => onChange({ view })} />
        <ChoiceField label="Span" value={settings.years} options={spanOptions} onChange={(years) => onChange({ years })} />
        <ChoiceField
          label="Figures"
          value={settings.isShares ? "shares" : "numbers"}
          options={figureOptions[share]}
          onChange={(figures) => onChange({ isShares: figures === "shares" })}
        />
      </div>
    </div>
  );
}
