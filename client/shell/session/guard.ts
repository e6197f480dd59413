import { redirect } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { may, missingRightsMessage } from "../../../gateway/access/access.rules.ts";
import type { Capability } from "../../../gateway/access/access.rules.ts";
import { routes } from "../../routes.ts";
import { currentSession } from "./session.ts";
import { showError } from "../toast/toaster.tsx";

/** A loader for people with this right. Others get the missing-rights message and are sent to the home screen before the screen sends a query. */
export function guarded(capability: Capability, loader: LoaderFunction = () => null): LoaderFunction {
  return (args) => {
    const session = currentSession();
    if (session.state === "signedIn" && may(session.viewer.privileges, capability)) return loader(args);
    showError(missingRightsMessage);
    return redirect(routes.home());
  };
}
