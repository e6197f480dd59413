import type { Context, Denial, Limit, Machine, Viewer } from "../context.ts";
import { notSignedIn, Problem } from "../problem.ts";
import { type Capability, may, missingRightsMessage, placedCapabilities } from "./access.rules.ts";

/** Why there is no viewer: nobody is signed in, or the signed-in person must set up a second factor first. */
export const notAdmitted = ({ enrolling }: Context): Problem =>
  enrolling
    ? new Problem(
        "ENROLMENT_NEEDED",
        "Administrators need a second factor here. Sign in and set it up first: until then nothing else is answered.",
      )
    : notSignedIn();

/** Whether the installation asks this account for a second factor that it does not have. */
export const mustEnrol = ({ secondFactorOf }: Context, lacksSecondFactor: boolean | undefined): boolean =>
  secondFactorOf === "administrators" && lacksSecondFactor === true;

/** Notes a refusal for the audit log. Returns the problem for the caller to throw. */
export function deny(context: Context, denial: Denial, problem: Problem): Problem {
  context.denials.push(denial);
  return problem;
}

const refuse = (context: Context, right: string, message: string): Problem =>
  deny(context, { action: "access.right", details: { right } }, new Problem("FORBIDDEN", message));

/** The refusal of everything that a site credential may not do. */
export const beyondSiteMessage =
  "A site credential may only send its facility's TDBs and ask about its own site (/api/v1/site/me).";

/**
 * The caller, if it is a person or a service account: a site's credential reads nothing of others.
 *
 * @throws Problem UNAUTHENTICATED, ENROLMENT_NEEDED, FORBIDDEN
 */
export function requireViewer(context: Context): Viewer {
  const { viewer } = context;
  if (!viewer) throw notAdmitted(context);
  if (viewer.machine?.kind === "site") throw refuse(context, "site", beyondSiteMessage);
  return viewer;
}

/**
 * The caller, also a site, for acts that check the rest themselves.
 *
 * @throws Problem UNAUTHENTICATED, ENROLMENT_NEEDED
 */
export function requireCaller(context: Context): void {
  if (!context.viewer) throw notAdmitted(context);
}

const accountLimitOf = ({ machine }: Viewer): Limit | null => (machine?.kind === "service" ? machine.limit : null);

/** Whether the caller may do this at every facility of the country. */
export const mayEverywhere = ({ viewer }: Context, capability: Capability): boolean =>
  viewer !== null &&
  may(viewer.privileges, capability) &&
  !(accountLimitOf(viewer) && placedCapabilities.includes(capability));

/**
 * Returns the caller if they have this right; a refusal is written to the audit log. An account that is limited to a
 * place or partner is refused everything about facilities, unless the act passes `somewhere`: then the act checks the
 * facilities itself (`narrowed`, `requireWithin`).
 *
 * @throws Problem UNAUTHENTICATED or FORBIDDEN
 */
export function requireRight(
  context: Context,
  capability: Capability,
  reach: "everywhere" | "somewhere" = "everywhere",
): Viewer {
  const viewer = requireViewer(context);
  if (!may(viewer.privileges, capability)) throw refuse(context, capability, missingRightsMessage);
  if (reach === "somewhere" || mayEverywhere(context, capability)) return viewer;
  throw refuse(context, capability, "This account is limited to a part of the country, and this is about all of it.");
}

/** Where a facility is, and its partner of today. */
type Place = { provinceId: number; districtId: number; implementingPartnerId: number | null };
const limitNames = ["provinceId", "districtId", "implementingPartnerId"] as const;

/** Whether a facility is within the caller's limit; true for callers without a limit. */
export function isWithin(context: Context, place: Place): boolean {
  const limit = accountLimitOf(requireViewer(context));
  return limit === null || limitNames.every((name) => limit[name] === null || limit[name] === place[name]);
}

const outside = (context: Context) =>
  refuse(context, "limit", "This is outside of the part of the country that this account is limited to.");

/** Refuses a facility outside the account's limit. @throws Problem FORBIDDEN */
export function requireWithin(context: Context, place: Place): void {
  if (!isWithin(context, place)) throw outside(context);
}

/** Whether the caller may see the closed facts of this facility that need this right. */
export const mayAt = (context: Context, capability: Capability, place: Place): boolean =>
  may(requireViewer(context).privileges, capability) && isWithin(context, place);

/** Whether the caller is limited to a place or partner, so that each facility must be checked. */
export const isLimited = (context: Context): boolean => accountLimitOf(requireViewer(context)) !== null;

/**
 * A list's filter, narrowed to the caller's limit. `of`: the places or partners whose list is asked for.
 *
 * @throws Problem FORBIDDEN when the filter names a place or partner outside the limit
 */
export function narrowed<Filter extends { [Name in (typeof limitNames)[number]]?: number | null | undefined }>(
  context: Context,
  filter: Filter,
  of?: { edge: string; keys: readonly unknown[] },
): Filter {
  const limit = accountLimitOf(requireViewer(context));
  const name = limit && limitNames.find((each) => limit[each] !== null);
  if (!name) return filter;
  const asked = [...(filter[name] == null ? [] : [filter[name]]), ...(of?.edge === name ? of.keys : [])];
  if (asked.some((key) => key !== limit[name])) throw outside(context);
  return { ...filter, [name]: limit[name] };
}

/**
 * The caller who sends TDBs: a person with the right, or a site that sends its own.
 *
 * @throws Problem UNAUTHENTICATED or FORBIDDEN
 */
export function requireSender(context: Context): Viewer {
  if (context.viewer?.machine?.kind === "site") return context.viewer;
  return requireRight(context, "uploadTdbs", "somewhere");
}

/** The site that calls with its credential. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export function requireSite(context: Context): Extract<Machine, { kind: "site" }> {
  const machine = context.viewer?.machine;
  if (machine?.kind === "site") return machine;
  requireViewer(context);
  throw refuse(context, "site", "This is for sites, by their site credentials.");
}

/** The signed-in person, by a session: for what a token must not do, such as creating tokens. @throws Problem */
export const requireSession = (context: Context): Viewer => requireNoToken(context, requireViewer(context));

/**
 * The person who may set up a second factor, by a session. Includes people who may do nothing else before that.
 *
 * @throws Problem
 */
export const requireEnroller = (context: Context): Viewer =>
  requireNoToken(context, context.enrolling ?? requireViewer(context));

/** This person, if they came by a session and not by a token. @throws Problem FORBIDDEN (token) */
function requireNoToken(context: Context, viewer: Viewer): Viewer {
  if (viewer.tokenUuid === null) return viewer;
  const problem = new Problem("FORBIDDEN", "An access token cannot do this. Please sign in.");
  throw deny(context, { action: "access.right", details: { right: "session" } }, problem);
}
