import { useEffect, useRef } from "react";

/** What the keys do with a row, by its place in the table. */
type RowActs = { onNote: (index: number) => void; onSnooze: (index: number) => void };

/** Where keys are typed, or another dialog has them. */
const elsewhere = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog]";

/**
 * Keys for the rows of a table: j and k move the focus to the next and the previous row's link, n and s act on the row
 * that has the focus. Returns the ref of an element around the table. Without `acts`, n and s do nothing.
 */
export function useRowKeys<Place extends HTMLElement>(acts: RowActs | undefined) {
  const place = useRef<Place>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!["j", "k", "n", "s"].includes(key) || (target instanceof Element && target.closest(elsewhere))) return;
      const links = [...(place.current?.querySelectorAll<HTMLElement>("tbody th[scope=row] a") ?? [])];
      const row = document.activeElement?.closest("tr");
      const present = links.findIndex((link) => row?.contains(link));
      if (key === "j" || key === "k") {
        const next = key === "j" ? present + 1 : Math.max(present - 1, 0);
        links[Math.min(next, links.length - 1)]?.focus();
      } else if (present >= 0) (key === "n" ? acts?.onNote : acts?.onSnooze)?.(present);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return place;
}
