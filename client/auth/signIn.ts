import { sendSignOut } from "../shell/session/signedOut.ts";
import { heardFetch } from "../ui/network/heardFetch.ts";
import { isBehindPortal, PortalAnswered, portalWords } from "../ui/network/reach.ts";

/** The server's answer to a sign-in, as the form needs it. */
export type SignInOutcome =
  | { kind: "signedIn"; sealKey: string | undefined }
  | { kind: "resetRequired" }
  /** The password is right, and a code is needed too. `error`: what is wrong with the code that was sent. */
  | { kind: "codeWanted"; error: string | undefined }
  /** Signed in, but only to set up a second factor. */
  | { kind: "mustEnrol" }
  | { kind: "refused" }
  | { kind: "invalid"; errors: { path: string; message: string }[] }
  | { kind: "failed"; message: string };

export const refusedMessage = "Invalid Username or Password Entered";

const unreachable: SignInOutcome = {
  kind: "failed",
  message: "The server cannot be reached. Check the connection and try again; nothing you typed is lost.",
};
const behindPortal: SignInOutcome = { kind: "failed", message: portalWords };

function wait(retryAfter: string | null): string {
  const seconds = Number(retryAfter);
  if (!retryAfter || !(seconds > 0)) return "in a few minutes";
  if (seconds < 90) return `in ${Math.ceil(seconds)} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}

type Body = { status?: string; sealKey?: string; type?: string; errors?: { path: string; message: string }[] };
const bodyOf = async (answer: Response): Promise<Body> =>
  ((await answer.json().catch(() => null)) as Body | null) ?? {};

async function outcome(answer: Response): Promise<SignInOutcome> {
  const { status, sealKey, type, errors = [] } = await bodyOf(answer);
  switch (answer.status) {
    case 200:
      return status === "enrolment-required" ? { kind: "mustEnrol" } : { kind: "signedIn", sealKey };
    case 202:
      return { kind: "resetRequired" };
    case 401:
      if (type === "urn:problem:code-wanted") return { kind: "codeWanted", error: errors[0]?.message };
      return { kind: "refused" };
    case 424:
      return { kind: "refused" };
    case 422:
      return { kind: "invalid", errors };
    case 429:
      return {
        kind: "failed",
        message: `Too many attempts. Please try again ${wait(answer.headers.get("Retry-After"))}.`,
      };
    default:
      return {
        kind: "failed",
        message: answer.ok ? "Bad Request" : "The server could not sign you in. Please try again in a moment.",
      };
  }
}

/** Posts the credentials; with `confirmPassword`, replaces a temporary password; `code` is of the second factor. */
export async function signIn(credentials: {
  login: string;
  password: string;
  confirmPassword?: string;
  code?: string;
}): Promise<SignInOutcome> {
  try {
    if (!(await sendSignOut())) return isBehindPortal() ? behindPortal : unreachable;
    const answer = await heardFetch("/api/v1/auth", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      credentials: "same-origin",
      body: JSON.stringify(credentials),
    });
    return await outcome(answer);
  } catch (error) {
    return error instanceof PortalAnswered ? behindPortal : unreachable;
  }
}
