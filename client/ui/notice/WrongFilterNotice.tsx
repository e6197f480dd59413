import { SearchIcon } from "@blueprintjs/icons";
import { Link, useLocation, useSearchParams } from "react-router-dom";
import { Notice } from "./Notice.tsx";

/** Says which filter in the address is invalid, and links to the list without it. */
export function WrongFilterNotice({ name, text }: { name: string; text: string }) {
  const { pathname } = useLocation();
  const [url] = useSearchParams();
  const rest = new URLSearchParams(url);
  rest.delete(name);
  return (
    <Notice heading="Filter not found" icon={<SearchIcon />} role="status">
      <p>
        There is no filter “{name}={text}”. The link may be old or mistyped.
      </p>
      <p>
        <Link to={{ pathname, search: rest.toString() }}>Show the list without it</Link>
      </p>
    </Notice>
  );
}
