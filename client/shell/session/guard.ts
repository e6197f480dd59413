import { redirect } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { may, missingRightsMessage } from "../../../gateway/access/access.rules.ts";
import type { Capability } from "../../../gateway/access/access.rules.ts";
import { routes } from "../../routes.ts";
import { currentSession } from "./session.ts";
import { showError } from "../toast/toaster.tsx";

/**
 * A loader for people with this right. Others get the missing-rights message and are sent to the home screen before the
 * screen sends a query.
 */
export function guarded(capability: Capability, loader: LoaderFunction = () => null): LoaderFunction {
  return (args) => {
    const session = currentSession();
    if (session.state === "signedIn" && may(session.viewer.privileges, capability)) return loader(args);
    // A screen that was being fetched when the session ended: the login screen says why.
    if (session.state === "signedIn") showError(missingRightsMessage);
    return redirect(routes.home());
  };
}
