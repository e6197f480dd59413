import { useCallback } from "react";
import { useSearchParams } from "react-router-dom";

/** New values of search parameters. An empty one removes the parameter. */
type Change = Readonly<Record<string, string | number | undefined>>;

/**
 * Changes search parameters of the address. With `isNewEntry`, the address before stays in the browser's history. The
 * present parameters are changed in place, because two changes may come before the next render: one when a field is
 * left, one by the button that was clicked.
 */
export function useAddress(isNewEntry = false): (change: Change) => void {
  const [, setParams] = useSearchParams();
  return useCallback(
    (change) =>
      setParams(
        (now) => {
          for (const [name, value] of Object.entries(change)) {
            if (value === undefined || value === "") now.delete(name);
            else now.set(name, String(value));
          }
          return now;
        },
        { replace: !isNewEntry, preventScrollReset: true },
      ),
    [isNewEntry, setParams],
  );
}

/**
 * Changes the filters or the order of a list, which then returns to its first page. `pageName` is the parameter that
 * holds the page.
 */
export function useListAddress(pageName = "page"): (change: Change) => void {
  const write = useAddress(true);
  return (change) => write({ [pageName]: "", ...change });
}
