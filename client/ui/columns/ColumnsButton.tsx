import { Checkbox } from "@blueprintjs/core";
import { useAddress } from "../filter/listAddress.ts";
import { PopoverButton } from "../form/PopoverButton.tsx";
import { type Choice, columnsIn, columnsName, columnsText } from "./listColumns.ts";
import "./ColumnsButton.css";

type ColumnsButtonProps = {
  choices: readonly Choice[];
  shown: readonly string[];
  usual: readonly string[];
  /** those of the filters that are set, which stay */
  added: readonly string[];
};

/** Chooses the columns of a table. The choice is in the address. */
export function ColumnsButton({ choices, shown, usual, added }: ColumnsButtonProps) {
  const change = useAddress();
  const known = choices.map(({ id }) => id);
  const choose = (id: string, isShown: boolean) =>
    change((now) => {
      const shownNow = columnsIn(now, known, usual, []);
      const next = known.filter((one) => (one === id ? isShown : shownNow.includes(one)));
      return { [columnsName]: columnsText(next, usual) };
    });
  return (
    <PopoverButton className="columns-button" side="end" text="Columns">
      {() => (
        <fieldset className="columns-choice stack is-close plain">
          <legend className="visually-hidden">Columns</legend>
          {choices.map(({ id, header }) => (
            <Checkbox
              // Not controlled: the address changes a moment later, and meanwhile the box would be as before.
              defaultChecked={shown.includes(id)}
              disabled={added.includes(id)}
              key={id}
              label={header}
              onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
    </PopoverButton>
  );
}
