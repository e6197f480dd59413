import { Button, Menu, MenuItem, PopoverNext } from "@blueprintjs/core";
import { MoreIcon } from "@blueprintjs/icons";

type ChartMenuButtonProps = {
  /** Undefined if there is no table: the chart is empty. */
  table: { isShown: boolean; onToggle: () => void; onSave: () => void } | undefined;
  /** Undefined for people who may not set targets, and for charts without any. */
  onTargets: (() => void) | undefined;
};

/** What else can be done with a chart: its table, the table as a file, its targets. */
export function ChartMenuButton({ table, onTargets }: ChartMenuButtonProps) {
  if (!table && !onTargets) return null;
  return (
    <PopoverNext
      animation="minimal"
      arrow={false}
      content={
        <Menu>
          {table ? <MenuItem onClick={table.onToggle} text={table.isShown ? "Hide table" : "Show table"} /> : null}
          {table ? <MenuItem onClick={table.onSave} text="Save table as CSV" /> : null}
          {onTargets ? <MenuItem onClick={onTargets} text="Set targets" /> : null}
        </Menu>
      }
      placement="bottom-end"
    >
      <Button aria-label="Chart menu" icon={<MoreIcon />} size="small" title="Chart menu" />
    </PopoverNext>
  );
}
