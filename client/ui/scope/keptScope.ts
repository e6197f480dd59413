import { useSearchParams } from "react-router-dom";

/** The search parameters that say what is looked at: every link keeps them. Where one is not used, it does no harm. */
const scopeParams = ["partner", "chart", "view", "chartYear", "chartQuarter", "years", "figures", "compare", "table"] as const;

/** A link's path with the scope of this address; what the path itself says comes first. */
export function withScope(path: string, here: URLSearchParams, without: readonly string[] = []): string {
  const [pathname = "", search = ""] = path.split("?");
  const own = new URLSearchParams(search);
  for (const name of scopeParams) {
    const value = here.get(name);
    if (value !== null && !own.has(name) && !without.includes(name)) own.set(name, value);
  }
  const text = own.toString();
  return text === "" ? pathname : `${pathname}?${text}`;
}

/** Gives a link's path the scope of the present address. */
export function useKeptScope(): (path: string) => string {
  const [here] = useSearchParams();
  return (path) => withScope(path, here);
}
