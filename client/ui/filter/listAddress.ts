import { useSearchParams } from "react-router-dom";

/**
 * Changes search parameters of a list's address, and returns to the first page. An empty value removes the parameter. The previous list stays in
 * the browser's history. `pageName` is the parameter that holds the page.
 */
export function useListAddress(pageName = "page"): (change: Readonly<Record<string, string>>) => void {
  const [, setParams] = useSearchParams();
  return (change) =>
    setParams(
      (now) => {
        now.delete(pageName);
        for (const [name, value] of Object.entries(change)) {
          if (value) now.set(name, value);
          else now.delete(name);
        }
        return now;
      },
      { preventScrollReset: true },
    );
}
