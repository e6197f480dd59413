import { Link, type LinkProps, useSearchParams } from "react-router-dom";

/** The search parameters of the scope, which links keep. A screen ignores those that it does not use. */
export const scopeParams = [
  "partner",
  "chart",
  "view",
  "chartYear",
  "chartQuarter",
  "years",
  "figures",
  "compare",
  "table",
] as const;

/** The search parameters of charts, map and tables beside a place's list, which no other screen has. */
export const besideListParams = [
  "level",
  "unitPage",
  "facilityPage",
  "silentBy",
  "silent",
  "measure",
  "unit",
  "units",
] as const;

/** A link's path with the scope of this address. Parameters that the path already has are not changed. */
export function withScope(path: string, here: URLSearchParams): string {
  const [pathname = "", search = ""] = path.split("?");
  const own = new URLSearchParams(search);
  for (const name of scopeParams) {
    const value = here.get(name);
    if (value !== null && !own.has(name)) own.set(name, value);
  }
  const text = own.toString();
  return text === "" ? pathname : `${pathname}?${text}`;
}

/** Returns a function that adds the scope of the present address to a link's path. */
export function useKeptScope(): (path: string) => string {
  const [here] = useSearchParams();
  return (path) => withScope(path, here);
}

/** A link that keeps the scope of the present address: partner, period and chart. */
export function ScopeLink({ to, ...rest }: Omit<LinkProps, "to"> & { to: string }) {
  return <Link {...rest} to={useKeptScope()(to)} />;
}
