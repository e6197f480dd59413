import { read, write } from "../../store/database.ts";
import { heardFetch } from "../../ui/network/heardFetch.ts";

/**
 * Remembers a sign-out that the server may not know of. It is stored on the device until the server has been notified.
 * Nothing else is requested before that.
 */

export const signedOutNote = "signed-out";
const againMs = 15_000;

/** The note of a sign-out; empty if there was none, or if the server knows of it. */
export const findSignOut = (): Promise<unknown> => read((db) => db.get("note", signedOutNote)).catch(() => undefined);

/** Ends the session at the server. Returns true if the server confirmed it. */
export async function endSession(): Promise<boolean> {
  try {
    const answer = await heardFetch("/api/v1/auth/logout", { credentials: "same-origin" });
    // Excludes pages of a proxy or portal between the device and the server.
    return answer.ok && ((await answer.json()) as { status?: string }).status === "signed-out";
  } catch {
    return false;
  }
}

let sending: Promise<boolean> | undefined;

async function send(): Promise<boolean> {
  if ((await findSignOut()) === undefined) return true;
  if (!(await endSession())) return false;
  await write(["note"], (transaction) => transaction.objectStore("note").delete(signedOutNote)).catch(() => {});
  return true;
}

/** Notifies the server of a noted sign-out. Returns true if none is left to send. */
export function sendSignOut(): Promise<boolean> {
  sending ??= send().finally(() => (sending = undefined));
  return sending;
}

let again: ReturnType<typeof setTimeout> | undefined;

/** Notifies the server of the sign-out as soon as it can be reached. */
export async function keepSending(): Promise<void> {
  clearTimeout(again);
  if (!(await sendSignOut())) again = setTimeout(() => void keepSending(), againMs);
}

globalThis.addEventListener("online", () => void keepSending());
