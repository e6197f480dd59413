import { read, write } from "../../store/database.ts";
import { heardFetch } from "../../ui/network/heardFetch.ts";

/**
 * Remembers that somebody signed out here and the server may not know. It is stored on the device until the server has been told; nothing
 * else is asked before that.
 */

export const signedOutNote = "signed-out";
const againMs = 15_000;

/** What was noted when somebody signed out; nothing where the server knows of it, or nobody did. */
export const findSignOut = (): Promise<unknown> => read((db) => db.get("note", signedOutNote)).catch(() => undefined);

/** Ends the session at the server; true where that is what it answered. */
export async function endSession(): Promise<boolean> {
  try {
    const answer = await heardFetch("/api/v1/auth/logout", { credentials: "same-origin" });
    // Not the page of a proxy or portal between the device and the server.
    return answer.ok && ((await answer.json()) as { status?: string }).status === "signed-out";
  } catch {
    return false;
  }
}

let telling: Promise<boolean> | undefined;

async function tell(): Promise<boolean> {
  if ((await findSignOut()) === undefined) return true;
  if (!(await endSession())) return false;
  await write(["note"], (transaction) => transaction.objectStore("note").delete(signedOutNote)).catch(() => {});
  return true;
}

/** Tells the server of a sign-out that it may not know of; true where it knows of all. */
export function tellSignOut(): Promise<boolean> {
  telling ??= tell().finally(() => (telling = undefined));
  return telling;
}

let again: ReturnType<typeof setTimeout> | undefined;

/** Tells the server as soon as it can be reached. */
export async function keepTelling(): Promise<void> {
  clearTimeout(again);
  if (!(await tellSignOut())) again = setTimeout(() => void keepTelling(), againMs);
}

globalThis.addEventListener("online", () => void keepTelling());
