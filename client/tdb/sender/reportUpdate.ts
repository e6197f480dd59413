import { setTimeout as pause } from "node:timers/promises";
import { callerAt } from "../upload/calls.ts";
import { Gone, Passing, refuse, Refused, Unreachable } from "../upload/failures.ts";
import type { Calling } from "./callingUp.ts";
import { GaveUp } from "./fetchUpdates.ts";

/** The site's report about a file that it applied, or could not apply. */

const pauseMs = 1000;

/**
 * Sends the report, with a new attempt after each lost connection. The platform stores the same report of a day only
 * once.
 *
 * @throws failures that another attempt does not help
 */
export async function reportUpdate(
  { url, token, silenceMs, giveUpMs }: Calling,
  { uuid, ...report }: NonNullable<Calling["report"]>,
): Promise<void> {
  const call = callerAt(url, { Authorization: `Bearer ${token}`, "content-type": "application/json" }, silenceMs);
  const body = new TextEncoder().encode(JSON.stringify(report));
  const begun = Date.now();
  for (;;) {
    try {
      const answer = await call("POST", `/api/v1/site/me/updates/${encodeURIComponent(uuid)}`, { body });
      if (answer.status === 200) return;
      if (answer.status === 409) throw new Refused(409, (JSON.parse(answer.body) as { detail: string }).detail);
      refuse(answer);
    } catch (error) {
      if (error instanceof Gone) throw new Refused(404, "No such file is to be applied.");
      if (!(error instanceof Unreachable) && !(error instanceof Passing)) throw error;
    }
    if (Date.now() - begun > giveUpMs)
      throw new GaveUp(`The report could not be sent for ${giveUpMs / 60_000} minutes.`);
    await pause(pauseMs);
  }
}
