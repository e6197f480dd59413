import { type Context, type Viewer } from "../context.ts";
import { notSignedIn, Problem } from "../problem.ts";
import { type Capability, may, missingRightsMessage } from "./access.rules.ts";

/** The signed-in person. @throws Problem UNAUTHENTICATED */
export function requireViewer(context: Context): Viewer {
  if (!context.viewer) throw notSignedIn();
  return context.viewer;
}

/** The signed-in person, who may do this. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export function requireRight(context: Context, capability: Capability): Viewer {
  const viewer = requireViewer(context);
  if (!may(viewer.privileges, capability)) throw new Problem("FORBIDDEN", missingRightsMessage);
  return viewer;
}
