import type { Answer } from "./calls.ts";

/** What can go wrong while a file is on its way, by what there is to do about it. */

/** Nothing was heard: the line is down, or silent, or something else than the platform answered. Try again. */
export class Unreachable extends Error {}
/** The server cannot go on now. Try again. */
export class Passing extends Error {
  constructor(readonly status: number, message: string, readonly afterMs = 0) {
    super(message);
  }
}
/** The server does not have this upload any more. Begin again. */
export class Gone extends Error {}
/** Nobody is signed in any more, or somebody else. */
export class SignedOut extends Error {}
/** The server will not take this file, whatever is tried. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}
/** The file went, was changed, or cannot be read. */
export class Unreadable extends Error {}

function detailOf(body: string): string {
  try {
    return (JSON.parse(body) as { detail?: string }).detail ?? "";
  } catch {
    return body.trim();
  }
}

/** Refusals that end by themselves: an upload that another request writes to, too many at a time. */
const passing = new Set([400, 408, 409, 423, 425, 429]);
const longest = 300;

/** Says what an answer means that is not the wanted one. @throws Passing, Gone, SignedOut, Refused */
export function refuse({ status, body, header }: Answer): never {
  if (status === 401) throw new SignedOut("Your session has ended.");
  if (status === 404 || status === 410) throw new Gone("The server does not have this upload any more.");
  const told = detailOf(body);
  const detail = told && told.length < longest && !told.startsWith("<") ? told : `The server answered ${status}.`;
  if (status === 507 || (status >= 400 && status < 500 && !passing.has(status))) throw new Refused(status, detail);
  throw new Passing(status, detail, Number(header("Retry-After") ?? 0) * 1000);
}
