import { tellSignOut } from "../shell/signedOut.ts";
import { heardFetch } from "../ui/heardFetch.ts";

/** What the server said to a sign-in, as the form needs to know it. */
export type SignInOutcome =
  | { kind: "signedIn"; sealKey: string | undefined }
  | { kind: "resetRequired" }
  | { kind: "refused" }
  | { kind: "invalid"; errors: { path: string; message: string }[] }
  | { kind: "failed"; message: string };

export const refusedMessage = "Invalid Username or Password Entered";

const unreachable: SignInOutcome = {
  kind: "failed",
  message: "The server cannot be reached. Check the connection and try again; nothing you typed is lost.",
};

function wait(retryAfter: string | null): string {
  const seconds = Number(retryAfter);
  if (!retryAfter || !(seconds > 0)) return "in a few minutes";
  if (seconds < 90) return `in ${Math.ceil(seconds)} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}

async function fieldErrors(answer: Response): Promise<{ path: string; message: string }[]> {
  const problem = (await answer.json().catch(() => null)) as { errors?: { path: string; message: string }[] } | null;
  return problem?.errors ?? [];
}

async function outcome(answer: Response): Promise<SignInOutcome> {
  switch (answer.status) {
    case 200:
      return { kind: "signedIn", sealKey: ((await answer.json().catch(() => null)) as { sealKey?: string } | null)?.sealKey };
    case 202:
      return { kind: "resetRequired" };
    case 401:
    case 424:
      return { kind: "refused" };
    case 422:
      return { kind: "invalid", errors: await fieldErrors(answer) };
    case 429:
      return { kind: "failed", message: `Too many attempts. Please try again ${wait(answer.headers.get("Retry-After"))}.` };
    default:
      return { kind: "failed", message: answer.ok ? "Bad Request" : "The server could not sign you in. Please try again in a moment." };
  }
}

/** Posts the credentials; with `confirmPassword`, replaces a temporary password. */
export async function signIn(credentials: { login: string; password: string; confirmPassword?: string }): Promise<SignInOutcome> {
  try {
    if (!(await tellSignOut())) return unreachable;
    const answer = await heardFetch("/api/v1/auth", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      credentials: "same-origin",
      body: JSON.stringify(credentials),
    });
    return await outcome(answer);
  } catch {
    return unreachable;
  }
}
