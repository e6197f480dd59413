import type { Answer } from "./calls.ts";

/** Failures of an upload, by what has to be done. */

/** No answer: the connection is lost or silent, or something other than the platform answered. Try again. */
export class Unreachable extends Error {}
/** No answer for too long. The connection may be dead, and with it others that rest. */
export class Silent extends Unreachable {}
/** The server cannot continue now. Try again. */
export class Passing extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly afterMs = 0,
  ) {
    super(message);
  }
}
/** The server no longer has this upload. Start again. */
export class Gone extends Error {}
/** Nobody is signed in any more, or somebody else. */
export class SignedOut extends Error {}
/** The server refuses this file. Trying again does not help. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
/** The file is gone, was changed, or cannot be read. */
export class Unreadable extends Error {}

function detailOf(body: string): string {
  try {
    return (JSON.parse(body) as { detail?: string }).detail ?? "";
  } catch {
    return body.trim();
  }
}

/** Temporary refusals: another request writes to the upload, or there are too many at a time. */
const passing = new Set([400, 408, 409, 423, 425, 429]);
const longest = 300;

/** Turns an unexpected answer into a failure. @throws Passing, Gone, SignedOut, Refused */
export function refuse({ status, body, header }: Answer): never {
  if (status === 401) throw new SignedOut("Your session has ended.");
  if (status === 404 || status === 410) throw new Gone("The server does not have this upload any more.");
  const given = detailOf(body);
  const detail = given && given.length < longest && !given.startsWith("<") ? given : `The server answered ${status}.`;
  if (status === 507 || (status >= 400 && status < 500 && !passing.has(status))) throw new Refused(status, detail);
  throw new Passing(status, detail, Number(header("Retry-After") ?? 0) * 1000);
}
