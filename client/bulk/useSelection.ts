import { useState } from "react";

/** A row that can be selected. */
type Selectable = { key: string; name: string };
/** The selected rows of a list, also on pages that are not shown: those chosen one by one, or all that match. */
export type Selection = {
  chosen: ReadonlyMap<string, string>;
  isAll: boolean;
  isSelected: (key: string) => boolean;
  select: (rows: readonly Selectable[], isSelected: boolean) => void;
  selectAll: () => void;
  clear: () => void;
};

const nothing = { chosen: new Map<string, string>(), isAll: false };

/** The selection of a list. Another list (`list` names its filters) begins without one. */
export function useSelection(list: string): Selection {
  const [state, setState] = useState({ list, ...nothing });
  if (state.list !== list) setState({ list, ...nothing });
  const { chosen, isAll } = state;
  return {
    chosen,
    isAll,
    isSelected: (key) => isAll || chosen.has(key),
    select: (rows, isSelected) =>
      setState((now) => {
        const next = new Map(now.chosen);
        for (const { key, name } of rows)
          if (isSelected) next.set(key, name);
          else next.delete(key);
        return { list, chosen: next, isAll: false };
      }),
    selectAll: () => setState({ list, chosen: new Map(), isAll: true }),
    clear: () => setState({ list, ...nothing }),
  };
}
