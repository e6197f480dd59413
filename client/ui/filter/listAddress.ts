import { useCallback } from "react";
import { type Location, useLocation, useSearchParams } from "react-router-dom";

/** New values of search parameters. An empty one removes the parameter. */
type Values = Readonly<Record<string, string | number | undefined>>;

/** New values, or a function that derives them from the parameters as they are at the moment of the change. */
type Change = Values | ((now: URLSearchParams) => Values);

/**
 * The parameters that an address gets by changes which are not rendered yet. Two changes may come before the next
 * render: one when a field is left and one by the button that was clicked, or two quick choices on a slow device.
 */
const underWay = new WeakMap<Location, URLSearchParams>();

/** Whether the address has changes that are not rendered yet. */
export function useIsChanging(): () => boolean {
  const location = useLocation();
  return () => underWay.has(location);
}

/** Changes search parameters of the address. With `isNewEntry`, the address before stays in the browser's history. */
export function useAddress(isNewEntry = false): (change: Change) => void {
  const location = useLocation();
  const [, setParams] = useSearchParams();
  return useCallback(
    (change) => {
      const next = new URLSearchParams(underWay.get(location) ?? location.search);
      for (const [name, value] of Object.entries(typeof change === "function" ? change(next) : change)) {
        if (value === undefined || value === "") next.delete(name);
        else next.set(name, String(value));
      }
      underWay.set(location, next);
      setParams(next, { replace: !isNewEntry, preventScrollReset: true });
    },
    [isNewEntry, location, setParams],
  );
}

/**
 * Changes the filters or the order of a list, which then returns to its first page. `pageName` is the parameter that
 * holds the page.
 */
export function useListAddress(pageName = "page"): (change: Change) => void {
  const write = useAddress(true);
  return (change) => write((now) => ({ [pageName]: "", ...(typeof change === "function" ? change(now) : change) }));
}
