import { Button } from "@blueprintjs/core";
import { CrossIcon } from "@blueprintjs/icons";
import { useListAddress } from "./listAddress.ts";
import "./ListBar.css";

/** A filter of a list: its search parameter, the filter in words, and another parameter that is nothing without it. */
export type Chip = { name: string; words: string; also?: string };

/**
 * Not Blueprint's Tag, whose button is always named "Remove tag": the filters of a list, as buttons. Each can be
 * removed in one click; `onDropped` must then move the focus, because the button is gone.
 */
export function Chips({
  chips,
  onDropped,
  pageName,
}: {
  chips: readonly Chip[];
  onDropped: () => void;
  pageName?: string | undefined;
}) {
  const change = useListAddress(pageName);
  if (chips.length === 0) return null;
  const drop = (dropped: readonly Chip[]) => {
    change(Object.fromEntries(dropped.flatMap(({ name, also = name }) => [name, also].map((one) => [one, ""]))));
    onDropped();
  };
  return (
    <ul aria-label="Filters of this list" className="list-bar-chips row plain">
      {chips.map((chip) => (
        <li key={chip.name}>
          <Button
            aria-label={`Remove the filter ${chip.words}`}
            className="list-bar-chip"
            endIcon={<CrossIcon />}
            onClick={() => drop([chip])}
            text={chip.words}
          />
        </li>
      ))}
      {chips.length > 1 ? (
        <li>
          <Button onClick={() => drop(chips)} text="Remove all" variant="minimal" />
        </li>
      ) : null}
    </ul>
  );
}
