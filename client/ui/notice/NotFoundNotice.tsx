import { SearchIcon } from "@blueprintjs/icons";
import { Notice } from "./Notice.tsx";

/** Says that the thing a link names does not exist (any more). */
export function NotFoundNotice({ what }: { what: string }) {
  const name = what.charAt(0).toUpperCase() + what.slice(1);
  return (
    <Notice heading={`${name} not found`} icon={<SearchIcon />} role="status">
      <p>There is no such {what}. The link may be old or mistyped.</p>
    </Notice>
  );
}
