import type { Context, Denial, Viewer } from "../context.ts";
import { notSignedIn, Problem } from "../problem.ts";
import { type Capability, may, missingRightsMessage } from "./access.rules.ts";

/** The signed-in person. @throws Problem UNAUTHENTICATED */
export function requireViewer(context: Context): Viewer {
  if (!context.viewer) throw notSignedIn();
  return context.viewer;
}

/** Marks a refusal that is to be written down in the audit; answers the problem, to be thrown. */
export function deny(context: Context, denial: Denial, problem: Problem): Problem {
  context.denials.push(denial);
  return problem;
}

/** The signed-in person, who may do this; a refusal is written down. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export function requireRight(context: Context, capability: Capability): Viewer {
  const viewer = requireViewer(context);
  if (may(viewer.privileges, capability)) return viewer;
  throw deny(context, { action: "access.right", details: { right: capability } }, new Problem("FORBIDDEN", missingRightsMessage));
}

/** The signed-in person by a session of their own: what a token must not do, such as to make tokens. @throws Problem */
export function requireSession(context: Context): Viewer {
  const viewer = requireViewer(context);
  if (viewer.tokenUuid === null) return viewer;
  const problem = new Problem("FORBIDDEN", "An access token cannot do this. Please sign in.");
  throw deny(context, { action: "access.right", details: { right: "session" } }, problem);
}
