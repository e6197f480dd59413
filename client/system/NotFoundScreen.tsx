import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { Page } from "../ui/page/Page.tsx";

/** Shown for every unknown path. */
export function NotFoundScreen() {
  return (
    <Page title="404 - Unknown Path" documentTitle="404 Unknown Path">
      <p>Unknown or invalid URL supplied</p>
      <p>
        <Link to={routes.home()}>Go to the start page</Link>
      </p>
    </Page>
  );
}
