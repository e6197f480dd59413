import { Button } from "@blueprintjs/core";
import { MoreIcon } from "@blueprintjs/icons";
import { PopoverButton } from "../ui/form/PopoverButton.tsx";

type ChartMenuButtonProps = {
  /** Undefined if there is no table: the chart is empty. */
  table: { isShown: boolean; onToggle: () => void; onSave: () => void; onWorkbook: () => void } | undefined;
  /** Undefined if there is no chart. */
  onSvg: (() => void) | undefined;
  /** Undefined for people who may not set targets, and for charts without any. */
  onTargets: (() => void) | undefined;
};

/** What else can be done with a chart: its table, table and drawing as files, its targets. */
export function ChartMenuButton({ table, onSvg, onTargets }: ChartMenuButtonProps) {
  if (!table && !onTargets) return null;
  const entries = [
    ...(table ? [{ text: table.isShown ? "Hide table" : "Show table", act: table.onToggle }] : []),
    ...(table
      ? [
          { text: "Save table as CSV", act: table.onSave },
          { text: "Save table as Excel", act: table.onWorkbook },
        ]
      : []),
    ...(onSvg ? [{ text: "Save image as SVG", act: onSvg }] : []),
    ...(onTargets ? [{ text: "Set targets", act: onTargets }] : []),
  ];
  return (
    <PopoverButton aria-label="Chart menu" icon={<MoreIcon />} side="end" size="small" title="Chart menu">
      {(close) => (
        <ul className="plain">
          {entries.map(({ text, act }) => (
            <li key={text}>
              <Button
                onClick={() => {
                  close();
                  act();
                }}
                text={text}
                variant="minimal"
              />
            </li>
          ))}
        </ul>
      )}
    </PopoverButton>
  );
}
