import { Link } from "react-router-dom";
import type { LinkProps } from "react-router-dom";
import { useKeptScope } from "./keptScope.ts";

/** A link that keeps the scope of the present address: partner, period and chart. */
export function ScopeLink({ to, ...rest }: Omit<LinkProps, "to"> & { to: string }) {
  return <Link {...rest} to={useKeptScope()(to)} />;
}
